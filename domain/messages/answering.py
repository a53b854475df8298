"""Committing an answer, as work inside one transaction (M 6.4, D6, D29)."""

from typing import Final

from tidings.domain.consent.arming import ArmState, Denied, decide_answer_consent
from tidings.domain.identity.digest import sha256
from tidings.domain.identity.route import Route
from tidings.domain.messages.acceptance import StoreFull, insert
from tidings.domain.messages.authority import PEER
from tidings.domain.messages.deadline import observed_at_ns, remaining_ns
from tidings.domain.messages.drafts import provenance_of, route_of
from tidings.domain.messages.envelope import Envelope, same_retry
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.guards import cycle_refusal
from tidings.domain.messages.limits import ENVELOPE_VERSION
from tidings.domain.messages.past import receipt_of_past
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.receipt import as_of, receipt_of, refused
from tidings.domain.messages.reply import (
    ReplyFault,
    ReplyRefusal,
    correlation_fault,
    original_fault,
)
from tidings.domain.messages.reply_box import box_route
from tidings.domain.messages.room import StoreLimits, make_room
from tidings.domain.messages.send_outcome import Refused, SendOutcome
from tidings.domain.messages.views import short_in
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Instant
from tidings.ports.history import HistoryRow
from tidings.ports.messages import EventRow, MessageRow, StoreTransaction
from tidings.ports.values import dataclass, replace

ANSWER_REFUSED: Final = "answer-refused"
"""The event of a message to which an answer came that was not taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDraft:
    """An answer before acceptance, from the run ``replier`` of the agent that was asked."""

    original_ref: str
    ref: str
    text: str
    replier: ActivationRow
    proof: Proof
    place: str


def asker_of(tx: StoreTransaction, original: MessageRow) -> ActivationRow | None:
    """The newest run of the asking agent that is not known to have ended."""
    if original.source_agent is None:
        return None
    runs = tx.activations_of_agent(original.source_agent)
    return next((run for run in runs if run.ended_at_ns is None), None)


def commit_answer(
    tx: StoreTransaction,
    draft: AnswerDraft,
    *,
    now: Instant,
    asker_key: str,
    consent: ArmState | None,
    limits: StoreLimits,
) -> SendOutcome:
    """Stores the one answer and marks its original as answered, or says why not.

    ``consent`` is the asker's, read for the session key ``asker_key``; None where no session asks.
    A reply box has no consent to ask for: who minted it waits for the answer.
    """
    past = tx.history(draft.ref)
    if past is not None:
        return _replayed_past(past, draft)
    original = tx.message(draft.original_ref)
    if original is None:
        return refused(ReplyFault.NOT_FOUND)
    asked = parse_envelope(original.envelope)
    stored = tx.message(draft.ref)
    if stored is not None:
        return _replayed(tx, stored, draft, asked, now)
    refusal = original_fault(original, asked, tx.replies(original.ref), now)
    if refusal is not None:
        return _refused(refusal)
    too_many = cycle_refusal(tx, original, draft.replier, now)
    if too_many is not None:
        return too_many
    ends = _ends(tx, draft, original, asked, asker_key)
    if isinstance(ends, ReplyFault):
        return refused(ends)
    envelope = _envelope(draft, asked, ends, now=now, ttl_ns=remaining_ns(original, now))
    fault = correlation_fault(asked, envelope)
    if fault is not None:
        return refused(fault)
    no = None if ends.asker is None else _consented(consent)
    if no is not None:
        return no
    if not make_room(tx, now, limits, pins={original.ref}):
        raise StoreFull
    return _commit(tx, original, envelope, ends.asker, now)


def note_refused_answer(tx: StoreTransaction, original_ref: str, reason: str, now: Instant) -> None:
    """An event of the original, once for each reason: whoever writes to a socket of ours all the
    time fills no store."""
    original = tx.message(original_ref)
    if original is None:
        return
    known = {event.reason for event in tx.events(original_ref) if event.name == ANSWER_REFUSED}
    if reason not in known:
        at_ns = observed_at_ns(original, now)
        tx.add_event(EventRow(ref=original_ref, at_ns=at_ns, name=ANSWER_REFUSED, reason=reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ends:
    """``asker`` None: a box, ``to`` its route."""

    replier: ActivationRow
    asker: ActivationRow | None
    to: Route


def _ends(
    tx: StoreTransaction, draft: AnswerDraft, original: MessageRow, asked: Envelope, asker_key: str
) -> _Ends | ReplyFault:
    """Both runs as the store knows them now; the asker must still be the one that was judged. A box
    is always there."""
    replier = tx.activation(draft.replier.activation_id)
    if replier is None or replier.ended_at_ns is not None:
        return ReplyFault.SOURCE_STALE
    if asked.wishes.reply_box:
        return _Ends(replier=replier, asker=None, to=box_route(asked.wishes.reply_box))
    asker = asker_of(tx, original)
    if asker is None or asker.session_key != asker_key:
        return ReplyFault.TARGET_STALE
    return _Ends(replier=replier, asker=asker, to=route_of(asker))


def _envelope(
    draft: AnswerDraft, asked: Envelope, ends: _Ends, *, now: Instant, ttl_ns: int
) -> Envelope:
    """Back along the original's route; its life is what is left of the original's (M 6.2)."""
    return Envelope(
        version=ENVELOPE_VERSION,
        message_ref=draft.ref,
        conversation_ref=asked.conversation_ref,
        reply_to=asked.message_ref,
        origin=None,
        source=route_of(ends.replier),
        target=ends.to,
        authority=PEER,
        payload=draft.text,
        accepted_at_ns=now.wall_ns,
        deadline_ns=now.wall_ns + ttl_ns,
        provenance=provenance_of(ends.replier, place=draft.place, proof=draft.proof),
    )


def _replayed(
    tx: StoreTransaction, stored: MessageRow, draft: AnswerDraft, asked: Envelope, now: Instant
) -> SendOutcome:
    """The stored times are kept, so that a shrinking rest of life breaks no replay (M 6.2)."""
    before = parse_envelope(stored.envelope)
    again = replace(before, reply_to=asked.message_ref, payload=draft.text)
    sender = before.source.agent_uid if before.source is not None else ""
    if sender != draft.replier.agent_uid or not same_retry(before, again):
        return refused("reply-ref-envelope-mismatch", earlier_ref=stored.ref)
    return receipt_of(as_of(stored, now), short=short_in(tx, stored.ref), replayed=True)


def _replayed_past(past: HistoryRow, draft: AnswerDraft) -> SendOutcome:
    """An answer that left the store is known by its original, its agent and its text's digest."""
    source = past.line.get("source")
    sender = source.get("agentUID") if isinstance(source, dict) else None
    told = (past.line.get("replyTo"), sender, past.line.get("payloadSHA256"))
    again = sha256(draft.text.encode()).hexdigest()
    if told != (draft.original_ref, draft.replier.agent_uid, again):
        return refused("reply-ref-envelope-mismatch", earlier_ref=past.ref)
    return receipt_of_past(past)


def _consented(consent: ArmState | None) -> Refused | None:
    if consent is None:
        return refused(ReplyFault.TARGET_STALE)
    said = decide_answer_consent(consent)
    return refused(str(said.reason), text=said.text) if isinstance(said, Denied) else None


def _commit(
    tx: StoreTransaction,
    original: MessageRow,
    envelope: Envelope,
    asker: ActivationRow | None,
    now: Instant,
) -> SendOutcome:
    row = insert(tx, envelope, asker, now=now, consent_generation=None)
    at_ns = observed_at_ns(original, now)
    tx.update_message(replace(original, answered_at_ns=at_ns, answer_ref=row.ref))
    tx.add_event(EventRow(ref=original.ref, at_ns=at_ns, name="answered", reason=""))
    return receipt_of(row, short=short_in(tx, row.ref))


def _refused(refusal: ReplyRefusal) -> Refused:
    earlier = refusal.previous
    if earlier is None:
        return refused(refusal.fault)
    return refused(
        refusal.fault,
        detail=f"state={earlier.state} reason={earlier.reason}",
        earlier_ref=earlier.ref,
    )
