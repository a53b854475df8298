"""Consent marks: a grant on disk, one per session key, in two files (D7)."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from tidings.ports.codec import Document, ReadOnlyDocument
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkMissing:
    """No such file, by the file system's own word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkUnreadable:
    """Something is there that is no mark: no JSON object, too large, a FIFO, no permission."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkRead:
    """A regular file of at most 64 KiB with one JSON object; its sense is judged by the domain."""

    document: Document


MarkFact: TypeAlias = MarkMissing | MarkUnreadable | MarkRead


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkPair:
    """Both files of one session: ``<key>.json`` and the emergency ``<key>.off.json``."""

    main: MarkFact
    off: MarkFact


class ConsentMarks(Protocol):
    """The folder ``consent/``. Readers take no lock; ``write``, ``write_over`` and ``remove``
    need the consent lock.

    A document that would not be read back (over 64 KiB, or no UTF-8) is ``StateUnwritable``.
    ``write_off`` alone may be called without the lock (D7): it only ever says no.
    """

    def read(self, key: str) -> MarkPair:
        """Both files of ``key`` as they are now. Never raises for what is on disk."""
        ...

    def path(self, key: str) -> str:
        """Where the main file of ``key`` is, or would be."""
        ...

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        """Replaces the main file atomically; returns its path. Raises ``StateUnwritable``."""
        ...

    def write_over(self, key: str, document: ReadOnlyDocument) -> str:
        """Empties the main file and writes into it, for an OFF where a new file finds no room.

        Not atomic: stopped in between it leaves an unreadable mark, which means no. Returns the
        path. Raises ``StateUnwritable``, also where no main file is; what is there is then the old
        mark or an unreadable one, never another that reads.
        """
        ...

    def write_off(self, key: str, document: ReadOnlyDocument) -> str:
        """Replaces the emergency file atomically; returns its path. Raises ``StateUnwritable``."""
        ...

    def take_off(self, key: str) -> MarkFact:
        """Takes whatever is the emergency file now out of its place, in one step, and tells what it
        was. Needs the consent lock. Raises ``StateUnwritable``."""
        ...

    def remove(self, key: str) -> bool:
        """Unlinks both files; False where neither was there. Raises ``StateUnwritable``."""
        ...

    def keys(self) -> Sequence[str]:
        """The session keys that have a main or an emergency file."""
        ...
