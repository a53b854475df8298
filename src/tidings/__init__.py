"""Tidings: coding-agent sessions hear from each other, alive, proved, consenting and free."""

__version__ = "0.1.0"
