"""The one long-lived process per session (D12): dormant until there is consent or an open message."""
