"""Process facts from the kernel's files, and from psutil elsewhere."""
