"""Locks by portalocker on the very files that ``FcntlLocks`` uses; the two exclude each other."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import BinaryIO

import portalocker

from tidings.adapters.locks.lock_files import lock_name, look_at_lock_file, open_lock_file, wait_for
from tidings.ports.errors import StateUnreadable
from tidings.ports.tokens import LockKind

_EXCLUSIVE = portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING
_SHARED = portalocker.LockFlags.SHARED | portalocker.LockFlags.NON_BLOCKING


class PortalockerHeldLock:
    """A taken lock and its open file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def fileno(self) -> int:
        """The descriptor; -1 once it is released."""
        return -1 if self._file.closed else self._file.fileno()

    def release(self) -> None:
        """Unlocks and closes."""
        if not self._file.closed:
            portalocker.unlock(self._file)
            self._file.close()


class PortalockerLocks:
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

    def take(self, kind: LockKind, key: str, *, wait_seconds: float) -> PortalockerHeldLock:
        """Takes the lock. Raises ``LockTimeout``, ``StateUnwritable``."""
        name = lock_name(kind, key)
        file = os.fdopen(open_lock_file(self._folder, name), "r+b", buffering=0)
        try:
            wait_for(name, lambda: _try_lock(file, _EXCLUSIVE), wait_seconds=wait_seconds)
        except BaseException:
            file.close()
            raise
        return PortalockerHeldLock(file)

    def is_taken(self, kind: LockKind, key: str) -> bool:
        """Whether somebody holds it. Asks with a shared lock that is dropped at once."""
        descriptor = look_at_lock_file(self._folder, lock_name(kind, key))
        if descriptor is None:
            return False
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            return not _try_lock(file, _SHARED)


def _try_lock(file: BinaryIO, flags: portalocker.LockFlags) -> bool:
    """Portalocker locks with ``flock`` on POSIX, never with ``lockf``, which would exclude nobody
    here; the contract suite proves it for the version that is installed."""
    try:
        portalocker.lock(file, flags)
    except portalocker.AlreadyLocked:
        return False
    except portalocker.LockException as error:
        raise StateUnreadable(f"this file system gives no locks: {error}") from error
    return True
