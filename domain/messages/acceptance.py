"""Accepting a message, as work inside one transaction (D20; M 2.7, 3.1)."""

from dataclasses import replace

from tidings.domain.consent.arming import ArmState, Denied, decide_consent
from tidings.domain.messages.delivery import Happening, State
from tidings.domain.messages.drafts import Draft, envelope_of_draft
from tidings.domain.messages.envelope import Envelope, same_retry
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.guards import rate_refusal
from tidings.domain.messages.hold import SUPERSEDED
from tidings.domain.messages.limits import QUEUE_WINDOW
from tidings.domain.messages.permission import request_of
from tidings.domain.messages.receipt import as_of, receipt_of, refused
from tidings.domain.messages.record import accepted_row, advance, keep
from tidings.domain.messages.send_outcome import SendOutcome
from tidings.domain.messages.settling import settle, settle_due
from tidings.domain.messages.views import short_in
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Instant
from tidings.ports.messages import EventRow, MessageRow, MessageTransaction, StoreTransaction
from tidings.ports.tokens import Provider


def accept(
    tx: StoreTransaction, draft: Draft, *, ref: str, now: Instant, consent: ArmState
) -> SendOutcome:
    """Stores the message, or says why not; a ref that is there already is answered from the store.

    The checks come in the order of D20: same ref, target, consent, readiness; guards come behind
    consent (D21). What is due at the target ends first, so that a sender settles where no resident does.
    """
    again = replay_of(tx, envelope_of_draft(draft, ref=ref, now=now), now)
    if again is not None:
        return again
    target = tx.activation(draft.target.activation_id)
    if target is None or target.ended_at_ns is not None:
        return refused("target-not-running")
    envelope = envelope_of_draft(replace(draft, target=target), ref=ref, now=now)
    said = decide_consent(consent, request_of(envelope), now_ns=now.wall_ns)
    if isinstance(said, Denied):
        return refused(str(said.reason), text=said.text)
    too_many = rate_refusal(tx, draft.source, target.agent_uid, now)
    if too_many is not None:
        return too_many
    settle_due(tx, target.agent_uid, now, limit=QUEUE_WINDOW)
    _supersede(tx, envelope, now)
    row = insert(tx, envelope, now=now, consent_generation=said.generation)
    return receipt_of(hold_unready(tx, row, target, now), short=short_in(tx, ref))


def replay_of(tx: MessageTransaction, envelope: Envelope, now: Instant) -> SendOutcome | None:
    """The stored answer to a ref that was used before; None for a new ref."""
    stored = tx.message(envelope.message_ref)
    if stored is None:
        return None
    if not same_retry(parse_envelope(stored.envelope), envelope):
        return refused(
            "ref-envelope-mismatch",
            detail=f"state={stored.state} reason={stored.reason}",
            earlier_ref=stored.ref,
        )
    return receipt_of(as_of(stored, now), short=short_in(tx, stored.ref), replayed=True)


def insert(
    tx: MessageTransaction, envelope: Envelope, *, now: Instant, consent_generation: int | None
) -> MessageRow:
    """The stored row of a newly accepted message, with its first event."""
    row = tx.insert_message(accepted_row(envelope, now=now, consent_generation=consent_generation))
    tx.add_event(EventRow(ref=row.ref, at_ns=row.accepted_at_ns, name=row.state, reason=""))
    return row


def _supersede(tx: MessageTransaction, envelope: Envelope, now: Instant) -> None:
    """Ends what the same sender still has waiting under the same key at this target."""
    key = envelope.wishes.supersede_key
    if not key:
        return
    sender = _sender_of(envelope)
    for row in tx.waiting_with_key(envelope.target.agent_uid, key):
        if _sender_of(parse_envelope(row.envelope)) == sender:
            settle(tx, row, SUPERSEDED, now)


def _sender_of(envelope: Envelope) -> object:
    """The agent, whichever run of it; else the origin, whose client is part of it."""
    return envelope.source.agent_uid if envelope.source is not None else envelope.origin


def hold_unready(
    tx: StoreTransaction, row: MessageRow, target: ActivationRow, now: Instant
) -> MessageRow:
    """Holds what nobody can deliver now: no ready resident, or a target that pulls (D15, D17)."""
    if target.provider == Provider.PROCESS:
        return hold_for_pull(tx, row, now)
    registration = tx.registration(target.activation_id)
    if registration is None or registration.resident is None or not registration.ready:
        return _held(tx, row, "target-not-ready", now)
    return row


def hold_for_pull(tx: MessageTransaction, row: MessageRow, now: Instant) -> MessageRow:
    """Holds what its target fetches itself."""
    return _held(tx, row, "awaiting-pull", now)


def hold_unheard(tx: StoreTransaction, ref: str, now: Instant) -> MessageRow | None:
    """Holds a message whose doorbell nobody heard, unless somebody has taken it up since."""
    row = tx.message(ref)
    if row is None or row.state != State.ACCEPTED or row.handoff_at_ns is not None:
        return row
    return _held(tx, row, "target-not-ready", now)


def accepted_refs(tx: MessageTransaction, target_agent: str) -> tuple[str, ...]:
    """The waiting messages of one target against which nothing spoke so far."""
    return tuple(row.ref for row in tx.queue(target_agent) if row.state == State.ACCEPTED)


def _held(tx: MessageTransaction, row: MessageRow, reason: str, now: Instant) -> MessageRow:
    held = advance(row, Happening.HOLD, reason, at_ns=now.wall_ns)
    keep(tx, row, held, at_ns=now.wall_ns)
    return held
