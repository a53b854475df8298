"""The message store: rows, one transaction, and the port that runs work inside it (D30).

The store is the truth. Work is a pure function of the transaction: it may run more than once
before it commits once, so it must not act outside.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from tidings.ports.agents import AgentTransaction
from tidings.ports.clock import Instant
from tidings.ports.codec import Document
from tidings.ports.history import HistoryTransaction
from tidings.ports.interactions import InteractionTransaction
from tidings.ports.trials import TrialTransaction
from tidings.ports.values import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRow:
    """One message: the immutable envelope, its delivery and its evidence.

    ``seq`` orders the queue and is 0 before the insert gives it. ``target_activation`` is the run
    that the envelope's route names. Instants are wall nanoseconds;
    ``accepted_boottime_ns`` with ``boot_id`` makes the deadline immune to clock jumps within a
    boot (D32). ``consent_generation`` None means that the message needs no consent (an answer).
    ``handoff_at_ns`` set is the hand-off mark: bytes may have gone. ``supersede_key`` repeats the
    envelope's, so that the waiting message that a newer one replaces is found at once.
    """

    seq: int
    ref: str
    conversation_ref: str
    reply_to: str | None
    kind: str
    source_agent: str | None
    target_agent: str
    target_activation: str
    envelope: Document
    payload_sha256: str
    accepted_at_ns: int
    accepted_boottime_ns: int
    boot_id: str
    ttl_ns: int
    state: str
    reason: str
    outcome_unknown: bool
    terminal_at_ns: int | None
    consent_generation: int | None
    transport: str | None
    writer_generation: str | None
    handoff_at_ns: int | None
    frame_sha256: str | None
    seen_at_ns: int | None
    unseen_at_ns: int | None
    answered_at_ns: int | None
    answer_ref: str | None
    supersede_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """One thing that happened to a message, kept for ``show`` and ``log``; append only."""

    ref: str
    at_ns: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedEvent:
    """An event with its place in the stream of all events."""

    number: int
    event: EventRow


class MessageTransaction(Protocol):
    """Reads and writes of messages inside one transaction."""

    def message(self, ref: str) -> MessageRow | None: ...

    def refs_with_prefix(self, prefix: str, *, limit: int) -> Sequence[str]:
        """Whole refs that begin with ``prefix``, in order of acceptance, at most ``limit``."""
        ...

    def neighbours(self, ref: str) -> Sequence[str]:
        """The stored refs right before and right after ``ref`` in the order of their letters."""
        ...

    def insert_message(self, row: MessageRow, *, events: Sequence[EventRow] = ()) -> MessageRow:
        """Adds a row (its ``seq`` must be 0) with its first events; returns it with the number it
        was given."""
        ...

    def update_message(self, row: MessageRow) -> None:
        """Replaces the delivery and evidence of ``row.ref``; the envelope never changes."""
        ...

    def queue(
        self, target_agent: str, *, limit: int | None = None, but_kind: str = ""
    ) -> Sequence[MessageRow]:
        """Non-terminal messages of the target without a hand-off mark, by ``seq`` (D15); the first
        ``limit`` of them, or all. Those of ``but_kind`` are left out."""
        ...

    def perhaps_over(
        self, target_agent: str, activation_id: str, *, now: Instant, limit: int
    ) -> Sequence[MessageRow]:
        """Messages of the target that may have ended: among the first ``limit`` of its queue, those
        for another run than ``activation_id`` and those whose deadline is not after ``now`` by
        either clock; and marked ones for another run. By ``seq``; the caller judges each."""
        ...

    def marked(self, target_agent: str) -> Sequence[MessageRow]:
        """Non-terminal messages of the target that carry a hand-off mark, by ``seq``."""
        ...

    def unproved(self, target_agent: str) -> Sequence[MessageRow]:
        """Delivered messages neither seen nor unseen nor answered, by ``seq`` (D18)."""
        ...

    def replies(self, ref: str) -> Sequence[MessageRow]:
        """Messages whose ``reply_to`` is ``ref``, by ``seq``."""
        ...

    def waiting_for_answer(self, source_agent: str) -> Sequence[MessageRow]:
        """Messages this agent sent that are not refused, failed, expired or stale and not answered."""
        ...

    def awaiting_reply_from(self, target_agent: str) -> Sequence[MessageRow]:
        """Delivered messages to this agent that are not answered, by ``seq``."""
        ...

    def waiting_with_key(self, target_agent: str, supersede_key: str) -> Sequence[MessageRow]:
        """The messages of ``queue`` that carry this key, by ``seq``."""
        ...

    def latest_of_pair(
        self, source_agent: str, target_agent: str, *, skip: int
    ) -> MessageRow | None:
        """The newest message of one agent to another after ``skip`` newer ones."""
        ...

    def recent(self, *, after_seq: int, limit: int) -> Sequence[MessageRow]:
        """Messages with a greater ``seq``, oldest first, at most ``limit``."""
        ...

    def overdue(self, now: Instant, *, limit: int) -> Sequence[MessageRow]:
        """Messages on their way, marked or not, whose deadline is not after ``now`` by either
        clock, by ``seq``; the caller judges each."""
        ...

    def ended_before(self, wall_ns: int, *, limit: int, skip: int = 0) -> Sequence[MessageRow]:
        """Messages that ended before that instant, the earliest end first, after ``skip`` others."""
        ...

    def ended(self, *, after_seq: int, limit: int) -> Sequence[MessageRow]:
        """Messages that ended, with a greater ``seq``, by ``seq``."""
        ...

    def add_event(self, row: EventRow) -> None: ...

    def events(self, ref: str) -> Sequence[EventRow]:
        """The events of one message, oldest first."""
        ...

    def newest(self, *, before_seq: int | None, limit: int) -> Sequence[MessageRow]:
        """Messages with a smaller ``seq`` (None: all), the newest first, at most ``limit``."""
        ...

    def open_targets(self) -> Sequence[str]:
        """The agents and boxes for which a message is on its way."""
        ...

    def latest_events(self, *, limit: int) -> Sequence[NumberedEvent]:
        """The last ``limit`` events of all messages, oldest first."""
        ...

    def events_after(self, number: int, *, limit: int) -> Sequence[NumberedEvent]:
        """Events of all messages with a greater number, oldest first, at most ``limit``."""
        ...


class StoreTransaction(
    AgentTransaction,
    InteractionTransaction,
    MessageTransaction,
    HistoryTransaction,
    TrialTransaction,
    Protocol,
):
    """One atomic look at, and change of, the whole store."""


class MessageStore(Protocol):
    """Runs work in a transaction. Raises ``StoreLocked``, ``StoreMalformed``, ``StateUnwritable``."""

    def transact(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float) -> T:
        """Runs ``work`` with the write lock held and commits; an exception rolls back whole."""
        ...

    def view(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float = 0.1) -> T:
        """Runs ``work`` on one consistent snapshot. A write inside is an error of the caller.

        Where no store exists yet, the view is of an empty one and nothing is created.
        """
        ...

    def integrity(self) -> Sequence[str]:
        """What is wrong with the whole store, a line each, at most twenty; empty where it is sound.

        Reads every row and repairs nothing. Raises ``StoreLocked``.
        """
        ...

    def backup(self, path: str) -> None:
        """Copies the store as it is at one moment to a new file (0600); writers go on meanwhile.

        Raises ``StateUnwritable`` where ``path`` is taken or cannot be written, or nothing is stored.
        """
        ...
