"""Doorbells: a wake-up that may be lost without losing a message."""

from collections.abc import Set as AbstractSet
from typing import Protocol

from tidings.ports.tokens import Ring


class Doorbell(Protocol):
    """Rings at the resident of a session."""

    def ring(self, key: str, *, why: Ring = Ring.LETTER) -> bool:
        """True when somebody was listening. Never blocks and never raises."""
        ...


class DoorbellListener(Protocol):
    """The resident's end."""

    def fileno(self) -> int:
        """A descriptor that turns readable when the bell rings; -1 in memory."""
        ...

    def drain(self) -> AbstractSet[Ring]:
        """Why the bell rang since the last call, empty where it did not; empties it.

        A bell that overflowed with rings of one kind may report the other kinds too: a needless
        look is harmless, and so is a helper that makes room for nobody; a missed letter is not.
        """
        ...

    def close(self) -> None:
        """Stops listening. Calling it twice is harmless."""
        ...
