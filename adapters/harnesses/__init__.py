"""What the real clients publish of themselves, and how it is read."""
