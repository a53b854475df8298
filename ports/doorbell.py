"""Doorbells: a wake-up that may be lost without losing a message."""

from typing import Protocol


class Doorbell(Protocol):
    """Rings at the resident of a session."""

    def ring(self, key: str) -> bool:
        """True when somebody was listening. Never blocks and never raises."""
        ...


class DoorbellListener(Protocol):
    """The resident's end."""

    def fileno(self) -> int:
        """A descriptor that turns readable when the bell rings; -1 in memory."""
        ...

    def drain(self) -> bool:
        """Whether the bell rang since the last call; empties it."""
        ...

    def close(self) -> None:
        """Stops listening. Calling it twice is harmless."""
        ...
