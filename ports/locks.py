"""Advisory locks with a stated deadline, never broken by age (D16)."""

from contextlib import AbstractContextManager
from typing import Protocol

from tidings.ports.tokens import LockKind


class HeldLock(Protocol):
    """A lock held beyond one block of code, such as a resident's."""

    def fileno(self) -> int:
        """The descriptor that carries the lock, for handing it through ``execv``; -1 in memory."""
        ...

    def release(self) -> None:
        """Lets go. Calling it twice is harmless. The file stays (D14)."""
        ...


class Locks(Protocol):
    """Locks by kind and key. The registry lock has the empty key."""

    def hold(
        self, kind: LockKind, key: str, *, wait_seconds: float
    ) -> AbstractContextManager[None]:
        """Holds the lock for a ``with`` block. Raises ``LockTimeout`` after ``wait_seconds``."""
        ...

    def take(self, kind: LockKind, key: str, *, wait_seconds: float) -> HeldLock:
        """Takes the lock until it is released or the process ends. Raises ``LockTimeout``."""
        ...

    def is_taken(self, kind: LockKind, key: str) -> bool:
        """Whether somebody holds the lock now. Creates nothing; a lock never used is not taken."""
        ...
