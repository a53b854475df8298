"""Whatever runs: command, hook, resident, library face; and the one place that chooses adapters."""
