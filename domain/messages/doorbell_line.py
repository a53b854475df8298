"""The line that says that messages wait, where they do not fit a line themselves (D17)."""

from typing import Final

from tidings.domain.messages.deadline import observed_at_ns
from tidings.domain.messages.limits import QUEUE_WINDOW
from tidings.ports.clock import Instant
from tidings.ports.messages import EventRow, MessageTransaction

RUNG: Final = "doorbell"
"""The event of a message whose waiting was told."""

DOORBELL_LINE: Final = "tidings: messages wait for this session; to read them: tidings inbox"
"""A fact and where to read more; it names no sender and carries no text."""

DOORBELL_UNITS: Final = len(DOORBELL_LINE)


def note_rung(tx: MessageTransaction, agent_uid: str, head_ref: str, now: Instant) -> bool:
    """Whether to ring; not where the head's waiting was told before.

    What stands behind the head is told with it, so nobody is rung for again what one pull takes.
    """
    if any(event.name == RUNG for event in tx.events(head_ref)):
        return False
    for row in tx.queue(agent_uid, limit=QUEUE_WINDOW):
        at_ns = observed_at_ns(row, now)
        tx.add_event(EventRow(ref=row.ref, at_ns=at_ns, name=RUNG, reason=""))
    return True
