"""What is open at one agent: whether its resident still has a reason to be awake (D12)."""

from tidings.domain.messages.deadline import is_past
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.evidence import counts_for_pacing
from tidings.domain.messages.origin import MessageKind
from tidings.ports.clock import Instant
from tidings.ports.messages import MessageTransaction
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Business:
    """Counts of messages. ``waiting``: on their way to the agent; ``notices`` are those of them
    that are notices. ``unproved``: written to it, neither seen nor unseen. ``asked``: sent by it,
    and still answerable, which a notice is not."""

    waiting: int
    notices: int
    unproved: int
    asked: int


def business_of(tx: MessageTransaction, agent_uid: str, now: Instant) -> Business:
    """The open business of ``agent_uid``; a message past its deadline is none."""
    waiting = [row for row in tx.queue(agent_uid) if not is_past(row, now)]
    return Business(
        waiting=len(waiting),
        notices=sum(row.kind == MessageKind.NOTICE for row in waiting),
        unproved=sum(counts_for_pacing(row) for row in tx.unproved(agent_uid)),
        asked=sum(
            not is_past(row, now) and row.kind != MessageKind.NOTICE
            for row in tx.waiting_for_answer(agent_uid)
        ),
    )


def asked_sessions(tx: MessageTransaction, agent_uid: str, now: Instant) -> frozenset[str]:
    """The session keys at which messages of ``agent_uid`` can still be answered."""
    rows = [row for row in tx.waiting_for_answer(agent_uid) if not is_past(row, now)]
    return frozenset(parse_envelope(row.envelope).target.pane_uid for row in rows)
