"""The lock on the folder of our sockets: between a bind and its listen nobody may judge a node."""

import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

_AGAIN_SECONDS: Final = 0.002


@contextmanager
def locked_folder(folder: str, *, wait_seconds: float) -> Generator[bool]:
    """Whether the folder itself is held; False where it stays taken or cannot be opened.

    The lock is on the folder and not on a file in it, so that it leaves nothing behind. A link is
    not followed. The kernel lets go of it when its holder ends.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        yield False
        return
    try:
        yield _is_taken(descriptor, time.monotonic() + wait_seconds)
    finally:
        os.close(descriptor)


def _is_taken(descriptor: int, ends_at: float) -> bool:
    import fcntl

    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= ends_at:
                return False
            time.sleep(_AGAIN_SECONDS)
        except OSError:
            return False
        else:
            return True
