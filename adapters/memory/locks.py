"""Locks between the threads of one process."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

from tidings.ports.errors import LockTimeout
from tidings.ports.tokens import LockKind


class MemoryHeldLock:
    """A taken lock."""

    def __init__(self, locks: "MemoryLocks", name: str) -> None:
        self._locks = locks
        self._name = name
        self._is_held = True

    def fileno(self) -> int:
        """There is no descriptor in memory."""
        return -1

    def release(self) -> None:
        """Lets go, once."""
        if self._is_held:
            self._is_held = False
            self._locks.let_go(self._name)


class MemoryLocks:
    """Locks by name.

    A thread that waits for a lock which it holds itself waits in vain; it is told so at once
    instead of at the deadline, with the same ``LockTimeout``.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._holders: dict[str, int] = {}

    @contextmanager
    def hold(self, kind: LockKind, key: str, *, wait_seconds: float) -> Generator[None, None, None]:
        """Holds the lock for a block. Raises ``LockTimeout``."""
        held = self.take(kind, key, wait_seconds=wait_seconds)
        try:
            yield
        finally:
            held.release()

    def take(self, kind: LockKind, key: str, *, wait_seconds: float) -> MemoryHeldLock:
        """Takes the lock. Raises ``LockTimeout``."""
        name, deadline = _name(kind, key), time.monotonic() + wait_seconds
        with self._changed:
            while name in self._holders:
                left_seconds = deadline - time.monotonic()
                if left_seconds <= 0 or self._holders[name] == threading.get_ident():
                    raise LockTimeout(name, wait_seconds)
                self._changed.wait(left_seconds)
            self._holders[name] = threading.get_ident()
        return MemoryHeldLock(self, name)

    def is_taken(self, kind: LockKind, key: str) -> bool:
        """Whether somebody holds it."""
        with self._changed:
            return _name(kind, key) in self._holders

    def let_go(self, name: str) -> None:
        """Called by the held lock."""
        with self._changed:
            self._holders.pop(name, None)
            self._changed.notify_all()


def _name(kind: LockKind, key: str) -> str:
    return f"{kind}-{key}.lock" if key else f"{kind}.lock"
