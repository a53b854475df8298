"""Locks by ``flock(2)`` without any library: for hot commands and the resident.

A lock belongs to an open file description. So two of them exclude each other within one process
too, it ends with the last descriptor, and it survives ``execv`` with a descriptor that does.
"""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager

from tidings.adapters.locks.lock_files import lock_name, look_at_lock_file, open_lock_file, wait_for
from tidings.ports.errors import StateUnreadable
from tidings.ports.tokens import LockKind


class FcntlHeldLock:
    """A taken lock and its descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        """The descriptor; -1 once it is released."""
        return self._descriptor

    def keep_through_exec(self) -> None:
        """Lets the descriptor, and with it the lock, pass through ``execv`` (D12)."""
        os.set_inheritable(self._descriptor, True)

    def release(self) -> None:
        """Lets go. A child that was forked with the descriptor keeps nothing: it is unlocked, then
        closed."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
            os.close(descriptor)


class FcntlLocks:
    """The locks in ``folder`` (absolute), which the first lock creates."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    @contextmanager
    def hold(self, kind: LockKind, key: str, *, wait_seconds: float) -> Generator[None, None, None]:
        """Holds the lock for a block. Raises ``LockTimeout``, ``StateUnwritable``."""
        held = self.take(kind, key, wait_seconds=wait_seconds)
        try:
            yield
        finally:
            held.release()

    def take(self, kind: LockKind, key: str, *, wait_seconds: float) -> FcntlHeldLock:
        """Takes the lock. Raises ``LockTimeout``, ``StateUnwritable``."""
        name = lock_name(kind, key)
        descriptor = open_lock_file(self._folder, name)
        try:
            wait_for(name, lambda: _try_lock(descriptor), wait_seconds=wait_seconds)
        except BaseException:
            os.close(descriptor)
            raise
        return FcntlHeldLock(descriptor)

    def adopt(self, descriptor: int) -> FcntlHeldLock:
        """The lock that came through ``execv`` on ``descriptor``, no longer passed on to others.

        Raises ``StateUnreadable`` where the descriptor carries no lock of its own.
        """
        if not _try_lock(descriptor):
            raise StateUnreadable(f"descriptor {descriptor} does not carry the lock")
        os.set_inheritable(descriptor, False)
        return FcntlHeldLock(descriptor)

    def is_taken(self, kind: LockKind, key: str) -> bool:
        """Whether somebody holds it. Asks with a shared lock that is dropped at once."""
        descriptor = look_at_lock_file(self._folder, lock_name(kind, key))
        if descriptor is None:
            return False
        try:
            return not _try_lock(descriptor, fcntl.LOCK_SH)
        finally:
            os.close(descriptor)


def _try_lock(descriptor: int, manner: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(descriptor, manner | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise StateUnreadable(f"this file system gives no locks: {error.strerror}") from error
    return True
