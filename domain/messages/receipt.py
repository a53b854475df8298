"""Receipts, refusals and views of stored messages: how they are made (P8, P12)."""

from tidings.domain.messages.deadline import is_past, observed_at_ns
from tidings.domain.messages.delivery import OPEN_STATES, Happening, State
from tidings.domain.messages.envelope import Envelope
from tidings.domain.messages.evidence import Evidence, evidence_of
from tidings.domain.messages.hold import STALE
from tidings.domain.messages.reasons import entry_of
from tidings.domain.messages.record import advance, is_open
from tidings.domain.messages.send_outcome import Receipt, Refused
from tidings.ports.clock import Instant
from tidings.ports.history import HistoryRow
from tidings.ports.messages import EventRow, MessageRow
from tidings.ports.values import dataclass, replace

UNCERTAIN_EXIT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageView:
    """One message for ``show``: ``row`` as it stands now (a passed deadline included), explained."""

    row: MessageRow
    envelope: Envelope
    short: str
    state: State
    evidence: Evidence
    text: str
    next_step: str
    exit_code: int
    events: tuple[EventRow, ...]


def refused(reason: str, *, detail: str = "", earlier_ref: str = "", text: str = "") -> Refused:
    """A refusal with the words of the catalogue; ``text`` replaces its meaning. Unknown tokens are a bug."""
    entry = entry_of(reason)
    if entry is None:
        raise LookupError(f"{reason} is not in the catalogue")
    return Refused(
        reason=reason,
        text=text or entry.meaning,
        next_step=entry.next_step,
        exit_code=entry.exit_code,
        detail=detail,
        earlier_ref=earlier_ref,
    )


def as_of(row: MessageRow, now: Instant) -> MessageRow:
    """The row as a reader sees it: past its deadline it has ended, though nothing is written (D20)."""
    if not (is_open(row) and is_past(row, now)):
        return row
    return advance(row, Happening.EXPIRE, "deadline-expired", at_ns=observed_at_ns(row, now))


def as_gone(row: MessageRow, now: Instant) -> MessageRow:
    """The waiting row as a reader sees it once its target is proved gone; nothing is written."""
    return advance(row, STALE.happening, STALE.reason, at_ns=observed_at_ns(row, now))


def explain(row: MessageRow | HistoryRow) -> tuple[str, str, int]:
    """Meaning, next step and exit code of where the message stands."""
    if not row.reason:
        return "", "", 0
    entry = entry_of(row.reason)
    if entry is None:
        return "", "", UNCERTAIN_EXIT if row.outcome_unknown else int(not _went_well(row))
    code = UNCERTAIN_EXIT if row.outcome_unknown else entry.exit_code
    return entry.meaning, entry.next_step, code


def receipt_of(
    row: MessageRow, *, short: str, replayed: bool = False, whole: bool = True
) -> Receipt:
    """The receipt of a stored row."""
    text, next_step, exit_code = explain(row)
    return Receipt(
        ref=row.ref,
        short=short,
        state=State(row.state),
        reason=row.reason,
        outcome_unknown=row.outcome_unknown,
        evidence=evidence_of(row),
        text=text,
        next_step=next_step,
        exit_code=exit_code,
        accepted_at_ns=row.accepted_at_ns,
        deadline_ns=row.accepted_at_ns + row.ttl_ns,
        replayed=replayed,
        whole=whole,
    )


def with_row(receipt: Receipt, row: MessageRow | None, *, whole: bool) -> Receipt:
    """The receipt brought up to ``row`` (None: as it is), with what is known of the frame's size."""
    if row is None:
        return receipt if receipt.whole is whole else replace(receipt, whole=whole)
    return receipt_of(row, short=receipt.short, replayed=receipt.replayed, whole=whole)


def _went_well(row: MessageRow | HistoryRow) -> bool:
    return row.state in OPEN_STATES or row.state == State.DELIVERED
