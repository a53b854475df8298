"""The system's clocks and its randomness."""
