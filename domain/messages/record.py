"""Messages as rows: from an envelope to the store, and back, with the rules of a record (M 7.3)."""

from tidings.domain.identity.digest import sha256
from tidings.domain.messages.delivery import (
    OPEN_STATES,
    Delivery,
    Happening,
    State,
    moved,
)
from tidings.domain.messages.envelope import Envelope
from tidings.domain.messages.envelope_document import parse_envelope, to_document
from tidings.ports.clock import Instant
from tidings.ports.errors import StoreMalformed
from tidings.ports.messages import EventRow, MessageRow, MessageTransaction
from tidings.ports.values import replace

OUTCOME_UNKNOWN = "provider-handoff-outcome-unknown"


def accepted_row(
    envelope: Envelope, *, now: Instant, consent_generation: int | None, held_for: str = ""
) -> MessageRow:
    """The row of a message that is accepted at ``now``, which the envelope carries too, and held at
    once where there is a reason."""
    return MessageRow(
        seq=0,
        ref=envelope.message_ref,
        conversation_ref=envelope.conversation_ref,
        reply_to=envelope.reply_to or None,
        kind=str(envelope.kind),
        source_agent=envelope.source.agent_uid if envelope.source is not None else None,
        target_agent=envelope.target.agent_uid,
        target_activation=envelope.target.activation_generation,
        envelope=to_document(envelope),
        payload_sha256=sha256(envelope.payload.encode()).hexdigest(),
        accepted_at_ns=envelope.accepted_at_ns,
        accepted_boottime_ns=now.boottime_ns,
        boot_id=now.boot_id,
        ttl_ns=envelope.ttl_ns,
        state=str(State.HELD if held_for else State.ACCEPTED),
        reason=held_for,
        outcome_unknown=False,
        terminal_at_ns=None,
        consent_generation=consent_generation,
        transport=None,
        writer_generation=None,
        handoff_at_ns=None,
        frame_sha256=None,
        seen_at_ns=None,
        unseen_at_ns=None,
        answered_at_ns=None,
        answer_ref=None,
        supersede_key=envelope.wishes.supersede_key or None,
    )


def is_open(row: MessageRow) -> bool:
    """Whether the message is still on its way."""
    return row.state in OPEN_STATES


def advance(
    row: MessageRow, kind: Happening, reason: str, *, at_ns: int, outcome_unknown: bool = False
) -> MessageRow:
    """The row after a happening; the same row where it changes nothing.

    Once the hand-off mark is set, an end that is neither delivery nor failure becomes a failure
    of unknown outcome, because bytes may have gone (M 2.3).
    """
    ends_unwritten = kind in (Happening.EXPIRE, Happening.STALE, Happening.REFUSE)
    if ends_unwritten and row.handoff_at_ns is not None:
        kind, reason, outcome_unknown = Happening.FAIL, OUTCOME_UNKNOWN, True
    before, observed_at_ns = delivery_of(row), max(at_ns, row.accepted_at_ns)
    after = moved(before, kind, reason, at_ns=observed_at_ns, outcome_unknown=outcome_unknown)
    return row if after is before else _with_delivery(row, after)


def delivery_of(row: MessageRow) -> Delivery:
    """The delivery that the row stores."""
    return Delivery(
        message_ref=row.ref,
        conversation_ref=row.conversation_ref,
        state=State(row.state),
        reason=row.reason,
        outcome_unknown=row.outcome_unknown,
        accepted_at_ns=row.accepted_at_ns,
        terminal_at_ns=row.terminal_at_ns,
    )


def keep(tx: MessageTransaction, before: MessageRow, after: MessageRow, *, at_ns: int) -> bool:
    """Writes ``after`` with its event if it differs from ``before``; whether it did."""
    if after == before:
        return False
    tx.update_message(after)
    if (after.state, after.reason) != (before.state, before.reason):
        tx.add_event(EventRow(ref=after.ref, at_ns=at_ns, name=after.state, reason=after.reason))
    return True


def check_record(row: MessageRow) -> None:
    """Raises ``StoreMalformed`` for a row that breaks a rule of M 7.3; nothing is repaired."""
    envelope = parse_envelope(row.envelope)
    expected = accepted_row(
        envelope,
        now=Instant(
            wall_ns=row.accepted_at_ns,
            monotonic_ns=0,
            boottime_ns=row.accepted_boottime_ns,
            boot_id=row.boot_id,
        ),
        consent_generation=row.consent_generation,
    )
    stored = replace(
        expected,
        seq=row.seq,
        envelope=row.envelope,
        state=row.state,
        reason=row.reason,
        outcome_unknown=row.outcome_unknown,
        terminal_at_ns=row.terminal_at_ns,
        transport=row.transport,
        writer_generation=row.writer_generation,
        handoff_at_ns=row.handoff_at_ns,
        frame_sha256=row.frame_sha256,
        seen_at_ns=row.seen_at_ns,
        unseen_at_ns=row.unseen_at_ns,
        answered_at_ns=row.answered_at_ns,
        answer_ref=row.answer_ref,
    )
    if stored != row or not (_state_holds(row) and _mark_holds(row)):
        raise StoreMalformed(f"the stored message {row.ref[:40]} breaks a rule of its record")


def _with_delivery(row: MessageRow, delivery: Delivery) -> MessageRow:
    return replace(
        row,
        state=str(delivery.state),
        reason=delivery.reason,
        outcome_unknown=delivery.outcome_unknown,
        terminal_at_ns=delivery.terminal_at_ns,
    )


def _state_holds(row: MessageRow) -> bool:
    if row.state not in tuple(State):
        return False
    ended = row.state not in OPEN_STATES
    known = row.state == State.FAILED or not row.outcome_unknown
    return ended == (row.terminal_at_ns is not None) and known


def _mark_holds(row: MessageRow) -> bool:
    """The mark names its transport and its writer, or nothing of it is there."""
    marks = (row.transport, row.writer_generation, row.handoff_at_ns)
    return len({mark is None for mark in marks}) == 1 and (
        row.frame_sha256 is None or row.handoff_at_ns is not None
    )
