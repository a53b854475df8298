"""The message store in one SQLite file."""
