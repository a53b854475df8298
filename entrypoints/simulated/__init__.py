"""The simulated harness: a real process that behaves as the real client was measured to."""
