"""The mark before the first byte, and the outcome after the last, inside transactions (P4, P5)."""

from tidings.domain.messages.deadline import observed_at_ns
from tidings.domain.messages.delivery import Happening, State
from tidings.domain.messages.hold import Hold, Settle
from tidings.domain.messages.outcomes import Delivered, Held, LeaseLost, Settled, StepOutcome
from tidings.domain.messages.reasons import is_known_zero
from tidings.domain.messages.record import advance, is_open, keep
from tidings.domain.messages.settling import settle
from tidings.ports.clock import Instant
from tidings.ports.messages import EventRow, MessageRow, MessageTransaction
from tidings.ports.tokens import TransportName, WriteResult
from tidings.ports.transport import WriteFact
from tidings.ports.values import dataclass, replace

FULL_FRAME = "provider-pipe-full-frame"
FULL_LINE = "monitor-line-printed"
PERSIST_FAILED = "broker-delivery-persist-failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What the hand-off mark says: which way, by whom, and what exactly (D16)."""

    transport: TransportName
    writer_generation: str
    frame_sha256: str | None


def put_mark(tx: MessageTransaction, row: MessageRow, mark: Mark, now: Instant) -> MessageRow:
    """Sets the mark: from here on bytes may have gone."""
    at_ns = observed_at_ns(row, now)
    marked = replace(
        row,
        transport=str(mark.transport),
        writer_generation=mark.writer_generation,
        handoff_at_ns=at_ns,
        frame_sha256=mark.frame_sha256,
    )
    tx.update_message(marked)
    tx.add_event(EventRow(ref=row.ref, at_ns=at_ns, name="hand-off", reason=""))
    return marked


def end_of_write(fact: WriteFact, transport: TransportName) -> Settle:
    """How a write ends a message. Only a listed reason proves zero bytes; all else is uncertain."""
    match fact.result:
        case WriteResult.FULL:
            is_line = transport is TransportName.MONITOR_LINE
            return Settle(happening=Happening.DELIVER, reason=FULL_LINE if is_line else FULL_FRAME)
        case WriteResult.ZERO if is_known_zero(fact.reason):
            return Settle(happening=Happening.FAIL, reason=fact.reason)
        case WriteResult.PARTIAL:
            return _uncertain("provider-write-partial")
        case WriteResult.ZERO | WriteResult.UNKNOWN:
            return _uncertain("provider-handoff-outcome-unknown")


def end_too_large(frame_bytes: int, limit_bytes: int) -> Settle:
    """Not even the head fits; the numbers are part of the reason (M 3.3)."""
    reason = f"provider-frame-too-large: frameBytes={frame_bytes} limitBytes={limit_bytes}"
    return Settle(happening=Happening.FAIL, reason=reason)


def outcome_unrecorded(ref: str, end: Settle) -> Settled:
    """What to say when the outcome could not be written: a failure keeps its cause (M181)."""
    delivered = end.happening is Happening.DELIVER
    return Settled(
        ref=ref,
        state=State.FAILED,
        reason=PERSIST_FAILED if delivered else end.reason,
        outcome_unknown=delivered or end.outcome_unknown,
    )


def put_outcome(tx: MessageTransaction, ref: str, end: Settle, now: Instant) -> StepOutcome:
    """Writes the outcome of a write; evidence that arrived meanwhile stays."""
    row = tx.message(ref)
    if row is None:
        return LeaseLost()
    after = settle(tx, row, end, now)
    if after.state == State.DELIVERED:
        return Delivered(ref=ref)
    return Settled(
        ref=ref,
        state=State(after.state),
        reason=after.reason,
        outcome_unknown=after.outcome_unknown,
    )


def take_back(
    tx: MessageTransaction, ref: str, finding: Hold | Settle | None, now: Instant
) -> StepOutcome:
    """Clears our own mark after a fence said no: no byte left, so the message may wait or end.

    ``finding`` None means that the lease is lost; then the message is left to its next owner.
    """
    row = tx.message(ref)
    if row is None or not is_open(row):
        return LeaseLost()
    clear = replace(
        row, transport=None, writer_generation=None, handoff_at_ns=None, frame_sha256=None
    )
    tx.update_message(clear)
    tx.add_event(EventRow(ref=ref, at_ns=now.wall_ns, name="taken-back", reason=""))
    match finding:
        case None:
            return LeaseLost()
        case Settle():
            return put_outcome(tx, ref, finding, now)
        case Hold():
            held = advance(clear, Happening.HOLD, finding.reason, at_ns=now.wall_ns)
            keep(tx, clear, held, at_ns=now.wall_ns)
            return Held(ref=ref, reason=finding.reason)


def _uncertain(reason: str) -> Settle:
    return Settle(happening=Happening.FAIL, reason=reason, outcome_unknown=True)
