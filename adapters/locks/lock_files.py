"""The lock files that both adapters share: their names, how they are opened, how they are waited for."""

import os
import time
from collections.abc import Callable

from tidings.adapters.wire.private_folders import make_private
from tidings.ports.errors import LockTimeout, StateUnwritable
from tidings.ports.tokens import LockKind

POLL_SECONDS = 0.001
"""At most 2 ms (D16); the portable library's own default of 250 ms would starve a sender."""
_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_KEY_CHARACTERS = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_")


def lock_name(kind: LockKind, key: str) -> str:
    """``<kind>-<key>.lock``, or ``<kind>.lock`` for the empty key. Raises ``ValueError`` for a key
    that could leave the folder."""
    if not _KEY_CHARACTERS.issuperset(key):
        raise ValueError(f"no lock key: {key[:40]!r}")
    return f"{kind}-{key}.lock" if key else f"{kind}.lock"


def open_lock_file(folder: str, name: str) -> int:
    """A descriptor of the lock file, created 0600 if it is not there. It is never unlinked: a lock
    on a file without a name excludes nobody. Raises ``StateUnwritable``."""
    path = os.path.join(folder, name)
    try:
        make_private(folder)
        return os.open(path, _OPEN, 0o600)
    except OSError as error:
        raise StateUnwritable(f"cannot open the lock {path}: {error.strerror or error}") from error


def wait_for(name: str, try_once: Callable[[], bool], *, wait_seconds: float) -> None:
    """Tries at once, then every millisecond until the deadline. Raises ``LockTimeout``."""
    deadline = time.monotonic() + wait_seconds
    while not try_once():
        left_seconds = deadline - time.monotonic()
        if left_seconds <= 0:
            raise LockTimeout(name, wait_seconds)
        time.sleep(min(POLL_SECONDS, left_seconds))
