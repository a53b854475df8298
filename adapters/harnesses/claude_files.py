"""Files of Claude Code that we only read: regular ones of a bounded size, opened without waiting."""

import os
import stat
from typing import Final

NO_WAIT: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
NO_LINK: Final = NO_WAIT | os.O_NOFOLLOW


def read_regular(path: str, *, flags: int, largest_bytes: int) -> bytes:
    """All of it. ``flags``: whether the name may be a link. Raises ``OSError``, also for what is no
    regular file and for one that is larger."""
    descriptor = os.open(path, flags)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("no regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            data = stream.read(largest_bytes + 1)
    finally:
        os.close(descriptor)
    if len(data) > largest_bytes:
        raise OSError(f"more than {largest_bytes // 1024} KiB")
    return data
