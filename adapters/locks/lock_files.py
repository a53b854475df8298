"""The lock files that both adapters share: their names, how they are opened, how they are waited for."""

import os
import time
from collections.abc import Callable

from tidings.adapters.wire.advice import IN_THE_WAY, advice_for
from tidings.adapters.wire.private_files import open_or_create, open_own
from tidings.adapters.wire.private_folders import make_private
from tidings.ports.errors import LockTimeout, StateUnreadable, StateUnwritable
from tidings.ports.tokens import LockKind

POLL_SECONDS = 0.001
"""At most 2 ms (D16); the portable library's own default of 250 ms would starve a sender."""
LOOK_AT_IT = "look what stands there, and move it aside if nothing of Tidings runs"
_KEY_CHARACTERS = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_")


def lock_name(kind: LockKind, key: str) -> str:
    """``<kind>-<key>.lock``, or ``<kind>.lock`` for the empty key. Raises ``ValueError`` for a key
    that could leave the folder."""
    if not _KEY_CHARACTERS.issuperset(key):
        raise ValueError(f"no lock key: {key[:40]!r}")
    return f"{kind}-{key}.lock" if key else f"{kind}.lock"


def open_lock_file(folder: str, name: str) -> int:
    """A descriptor of the lock file, created 0600 if it is not there. It is never unlinked: a lock
    on a file without a name excludes nobody. Raises ``StateUnwritable``, also for what is no file
    of ours: a lock on somebody else's file could be held against us for ever."""
    path = os.path.join(folder, name)
    try:
        make_private(folder)
        return open_or_create(path, os.O_RDWR)
    except OSError as error:
        raise StateUnwritable(
            f"cannot open the lock {path}: {error.strerror or error}",
            next_step=LOOK_AT_IT if advice_for(error) == IN_THE_WAY else advice_for(error),
        ) from error


def look_at_lock_file(folder: str, name: str) -> int | None:
    """A descriptor for asking whether the lock is taken; None where it never was. Raises
    ``StateUnreadable``."""
    path = os.path.join(folder, name)
    try:
        return open_own(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StateUnreadable(
            f"cannot look at the lock {path}: {error.strerror or error}", next_step=LOOK_AT_IT
        ) from error


def wait_for(name: str, try_once: Callable[[], bool], *, wait_seconds: float) -> None:
    """Tries at once, then every millisecond until the deadline. Raises ``LockTimeout``."""
    deadline = time.monotonic() + wait_seconds
    while not try_once():
        left_seconds = deadline - time.monotonic()
        if left_seconds <= 0:
            raise LockTimeout(name, wait_seconds)
        time.sleep(min(POLL_SECONDS, left_seconds))
