"""The event spool: what hooks leave behind, one append-only file per session (D11)."""

from collections.abc import Sequence
from typing import Protocol

from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SpoolRead:
    """Whole lines from an offset on, and the offset behind the last of them.

    A torn last line is not returned and not counted; it is there at the next read.
    """

    lines: tuple[bytes, ...]
    offset: int


class EventSpool(Protocol):
    """``events/<session key>.jsonl``. Nobody truncates or renames it while its owner lives."""

    def append(self, key: str, line: bytes) -> None:
        """One record of at most 4,096 bytes, line break included, in one O_APPEND write.

        Raises ``ValueError`` for a longer one and ``StateUnwritable`` when the disk refuses.
        """
        ...

    def read(self, key: str, *, offset: int) -> SpoolRead:
        """Everything after ``offset`` bytes; empty where there is no file.

        Raises ``StateUnreadable`` when the file cannot be read or is shorter than ``offset``.
        """
        ...

    def keys(self) -> Sequence[str]:
        """The session keys that have a spool."""
        ...
