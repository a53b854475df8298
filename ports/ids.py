"""Randomness that names things."""

from typing import Protocol


class Ids(Protocol):
    """A source of unguessable bytes."""

    def random_bytes(self, count: int) -> bytes:
        """``count`` bytes (1 to 64) from the system's source of randomness."""
        ...
