"""What is kept of messages that left the store, and the room that their leaving makes (D31, M 7.6)."""

from collections.abc import Sequence
from typing import Protocol

from tidings.ports.codec import Document
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRow:
    """A message that left the store: everything but its text. It is the tombstone of its ref too.

    ``number`` orders the leaving and is 0 before ``reclaim`` gives it. ``retry_sha256`` is the
    digest of all that a retry must repeat. ``line`` is the export's line (M 7.7).
    """

    number: int
    ref: str
    evicted_at_ns: int
    cause: str
    retry_sha256: str
    state: str
    reason: str
    outcome_unknown: bool
    evidence: str
    accepted_at_ns: int
    ttl_ns: int
    line: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreUsage:
    """How many rows there are, and how many bytes of the file they need."""

    messages: int
    history: int
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Housekeeping:
    """When room was last made (wall nanoseconds), and up to which ``seq`` it was counted to last.

    ``last_seq`` is the number that was given last.
    """

    last_seq: int
    room_until_seq: int
    tidied_at_ns: int


class HistoryTransaction(Protocol):
    """The history's part of a transaction."""

    def history(self, ref: str) -> HistoryRow | None:
        """What is kept of a message that left, or None."""
        ...

    def history_refs(self, prefix: str, *, limit: int) -> Sequence[str]:
        """Refs of messages that left which begin with ``prefix``, in the order of leaving."""
        ...

    def history_after(self, number: int, *, limit: int) -> Sequence[HistoryRow]:
        """Rows with a greater number, in the order of leaving, at most ``limit``."""
        ...

    def reclaim(self, row: HistoryRow) -> None:
        """Moves the message ``row.ref`` to history: its row and its events go, in this very
        transaction. Raises ``ValueError`` where no such message is stored."""
        ...

    def forget_history(self, *, before_ns: int, keep: int) -> int:
        """Removes what left before that wall instant, and all but the latest ``keep``; how many."""
        ...

    def usage(self) -> StoreUsage:
        """Counts every row: for the moments when room is made."""
        ...

    def housekeeping(self) -> Housekeeping:
        """Zeros before anything was put."""
        ...

    def put_housekeeping(self, kept: Housekeeping) -> None:
        """Replaces it; ``last_seq`` is not stored."""
        ...
