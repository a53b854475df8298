"""Accepting a message, as work inside one transaction (D20; M 2.7, 3.1)."""

from tidings.domain.consent.arming import ArmState, Denied, decide_consent
from tidings.domain.messages.delivery import Happening, State
from tidings.domain.messages.drafts import Draft, envelope_of_draft
from tidings.domain.messages.envelope import Envelope, same_retry
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.guards import rate_refusal
from tidings.domain.messages.hold import SUPERSEDED
from tidings.domain.messages.members import members
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.past import replay_of_past
from tidings.domain.messages.permission import request_of
from tidings.domain.messages.receipt import as_of, receipt_of, refused
from tidings.domain.messages.record import accepted_row, advance, keep
from tidings.domain.messages.room import StoreLimits, make_room
from tidings.domain.messages.send_outcome import Refused, SendOutcome
from tidings.domain.messages.settling import settle, settle_in_passing
from tidings.domain.messages.views import short_in
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Instant
from tidings.ports.history import HistoryRow
from tidings.ports.messages import EventRow, MessageRow, MessageTransaction, StoreTransaction
from tidings.ports.tokens import Provider
from tidings.ports.values import replace


class StoreFull(Exception):
    """No room for one more message; it takes back whatever the transaction did so far (M82)."""


def accept(
    tx: StoreTransaction,
    draft: Draft,
    envelope: Envelope,
    *,
    now: Instant,
    consent: ArmState,
    limits: StoreLimits,
) -> SendOutcome:
    """Stores the message, or says why not; a ref that is there already is answered from the store.

    The checks come in the order of D20: same ref, target, consent, readiness; guards come behind
    consent (D21). What is due at the target ends first, so that a sender settles where no resident
    does. ``envelope`` is the draft's, valid, made before the lock was taken; a target that moved on
    meanwhile gets a new one.
    """
    again = None if draft.ref is None else replay_of(tx, envelope, now)
    if again is not None:
        return again
    target = tx.activation(draft.target.activation_id)
    if target is None or target.ended_at_ns is not None:
        return refused("target-not-running")
    if target != draft.target:
        envelope = envelope_of_draft(
            replace(draft, target=target), ref=envelope.message_ref, now=now
        )
    said = decide_consent(consent, request_of(envelope), now_ns=now.wall_ns)
    if isinstance(said, Denied):
        return refused(str(said.reason), text=said.text)
    too_many = rate_refusal(tx, draft.source, target.agent_uid, now)
    if too_many is not None:
        return too_many
    settle_in_passing(tx, target, now)
    if not make_room(tx, now, limits):
        raise StoreFull
    _supersede(tx, envelope, now)
    row = insert(
        tx,
        envelope,
        target,
        now=now,
        consent_generation=said.generation,
        may_be_woken=consent.may_be_woken,
    )
    return receipt_of(row, short=short_in(tx, row.ref))


def replay_of(tx: StoreTransaction, envelope: Envelope, now: Instant) -> SendOutcome | None:
    """The stored answer to a ref that was used before; None for a new ref."""
    stored = tx.message(envelope.message_ref)
    if stored is None:
        past = tx.history(envelope.message_ref)
        reached = members(tx, envelope.message_ref) if past is None else ()
        if reached:  # the ref is a fan-out's: one of those it reached would hear the text twice
            return _mismatch(reached[0])
        return None if past is None else replay_of_past(past, envelope)
    if not same_retry(parse_envelope(stored.envelope), envelope):
        return _mismatch(stored)
    return receipt_of(as_of(stored, now), short=short_in(tx, stored.ref), replayed=True)


def _mismatch(earlier: MessageRow | HistoryRow) -> Refused:
    detail = f"state={earlier.state} reason={earlier.reason}"
    return refused("ref-envelope-mismatch", detail=detail, earlier_ref=earlier.ref)


def insert(
    tx: StoreTransaction,
    envelope: Envelope,
    target: ActivationRow | None,
    *,
    now: Instant,
    consent_generation: int | None,
    may_be_woken: bool = False,
) -> MessageRow:
    """Stores a newly accepted message with its events: held at once where nobody can deliver it, or
    where it is a notice that starts no turn."""
    reason = _unready_reason(tx, target)
    if not reason and envelope.kind is MessageKind.NOTICE:
        reason = "" if may_be_woken and envelope.wishes.wake else "awaiting-turn"
    row = accepted_row(envelope, now=now, consent_generation=consent_generation, held_for=reason)
    events = [_event(row, State.ACCEPTED, "")]
    if reason:
        events.append(_event(row, State.HELD, reason))
    return tx.insert_message(row, events=events)


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


def _event(row: MessageRow, state: State, reason: str) -> EventRow:
    return EventRow(ref=row.ref, at_ns=row.accepted_at_ns, name=str(state), reason=reason)


def _unready_reason(tx: StoreTransaction, target: ActivationRow | None) -> str:
    """Why nobody can deliver now: a target that pulls, or no ready resident; else empty (D15, D17).

    ``target`` None: a reply box.
    """
    if target is None or target.provider == Provider.PROCESS:
        return "awaiting-pull"
    registration = tx.registration(target.activation_id)
    if registration is None or registration.resident is None or not registration.ready:
        return "target-not-ready"
    return ""


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
