"""Session records: presence on disk, one file per session key (S 1.4, D2)."""

from collections.abc import Iterable
from typing import Protocol, TypeAlias

from tidings.ports.codec import Document, ReadOnlyDocument
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRead:
    """A file that parses as one JSON object of at most 64 KiB. ``key`` is its name's stem."""

    key: str
    path: str
    modified_at_ns: int
    document: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordMalformed:
    """A session-shaped file that does not read as one; ``why`` is a short phrase."""

    key: str
    path: str
    modified_at_ns: int
    why: str


RecordFact: TypeAlias = RecordRead | RecordMalformed


class SessionRecords(Protocol):
    """The folder ``sessions/``. Reads take no lock; writers hold the registry lock (D16)."""

    def read(self, key: str) -> RecordFact | None:
        """The record named ``key``, or None where no such file is.

        Raises ``StateUnreadable`` where the folder itself cannot be looked into.
        """
        ...

    def read_all(self) -> Iterable[RecordFact]:
        """Every session-shaped regular file, in no order; links, FIFOs and others are skipped.

        The folder is listed at once and each file read when it is asked for, so that whoever
        goes through thousands holds one document at a time. Each may raise as ``read`` does.
        """
        ...

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        """Replaces the whole file atomically and returns its path. Raises ``StateUnwritable``,
        also for a document that would not be read back: over 64 KiB, or no UTF-8."""
        ...

    def remove(self, key: str) -> bool:
        """Unlinks the file; False where there was none. Raises ``StateUnwritable``."""
        ...
