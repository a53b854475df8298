"""What the file system says of socket nodes."""
