"""One text to many under one ref: stored in one transaction, and a replay adds nobody (D34)."""

from collections.abc import Callable, Mapping, Sequence

from tidings.domain.consent.arming import ArmState, ArmWord
from tidings.domain.messages.acceptance import accept, replay_of
from tidings.domain.messages.drafts import Draft, envelope_of_draft
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.members import MOST_TARGETS, member_ref, members
from tidings.domain.messages.past import replay_of_past_text
from tidings.domain.messages.receipt import refused
from tidings.domain.messages.room import StoreLimits
from tidings.domain.messages.send_outcome import Refused, SendOutcome
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Instant
from tidings.ports.history import HistoryRow
from tidings.ports.messages import MessageRow, StoreTransaction
from tidings.ports.values import replace

DraftFor = Callable[[ActivationRow], Draft]


def refs_under(tx: StoreTransaction, ref: str) -> tuple[str, ...]:
    """The refs of what was stored under ``ref``, a message's own or a fan-out's, left or not."""
    prefix = f"{ref}/"
    known = tx.message(ref) is not None or tx.history(ref) is not None
    return (
        *([ref] if known else []),
        *tx.history_refs(prefix, limit=MOST_TARGETS),
        *tx.refs_with_prefix(prefix, limit=MOST_TARGETS),
    )


def unread_consent(
    targets: Sequence[ActivationRow], consents: Mapping[str, ArmState]
) -> Refused | None:
    """The refusal of a fan-out while it cannot be told of everybody whether he hears (S 8.3, D35):
    a count of receivers would be a guess."""
    for target in targets:
        state = consents[target.session_key]
        if state.word in (ArmWord.ERROR, ArmWord.UNVERIFIABLE):
            text = f"the consent of {target.address} cannot be read or proved: {state.why}"
            return refused("consent-unreadable", text=text)
    return None


def replay_fan_out(
    tx: StoreTransaction, draft_for: DraftFor, *, ref: str, now: Instant
) -> tuple[SendOutcome, ...]:
    """The stored answers where the fan-out ``ref`` reached anybody before; empty for a new one.

    Only who was reached then is in it, whoever is there now, and also what left the store since.
    Another text is refused for each, and the ref of a single message for all.
    """
    single = tx.message(ref) or tx.history(ref)
    if single is not None:
        detail = f"state={single.state} reason={single.reason}"
        return (refused("ref-envelope-mismatch", detail=detail, earlier_ref=ref),)
    return tuple(
        _again(tx, one, draft_for, now)
        if isinstance(one, MessageRow)
        else _again_of_past(tx, one, draft_for)
        for one in members(tx, ref)
    )


def accept_fan_out(
    tx: StoreTransaction,
    draft_for: DraftFor,
    targets: Sequence[ActivationRow],
    *,
    ref: str,
    now: Instant,
    consents: Mapping[str, ArmState],
    limits: StoreLimits,
) -> tuple[SendOutcome, ...]:
    """Stores one message for each target that hears it, all or none of them; or replays.

    ``consents`` are by session key. A target that does not hear it is a refusal and stores nothing.
    """
    before = replay_fan_out(tx, draft_for, ref=ref, now=now)
    if before:
        return before
    return tuple(
        _accept_one(tx, draft_for(target), member_ref(ref, target.agent_uid), now, consents, limits)
        for target in targets
    )


def _accept_one(
    tx: StoreTransaction,
    draft: Draft,
    ref: str,
    now: Instant,
    consents: Mapping[str, ArmState],
    limits: StoreLimits,
) -> SendOutcome:
    return accept(
        tx,
        replace(draft, ref=ref),
        envelope_of_draft(draft, ref=ref, now=now),
        now=now,
        consent=consents[draft.target.session_key],
        limits=limits,
    )


def _again(tx: StoreTransaction, row: MessageRow, draft_for: DraftFor, now: Instant) -> SendOutcome:
    """Judged against the run it was addressed to, in the conversation of then: who moved on since
    was reached all the same."""
    stored = parse_envelope(row.envelope)
    run = tx.activation(stored.target.activation_generation)
    if run is None:
        raise LookupError(stored.target.activation_generation)
    asked = envelope_of_draft(draft_for(run), ref=row.ref, now=now)
    outcome = replay_of(tx, replace(asked, target=stored.target), now)
    assert outcome is not None
    return outcome


def _again_of_past(tx: StoreTransaction, past: HistoryRow, draft_for: DraftFor) -> SendOutcome:
    """What left is told by its text, its sender and its time to live: the conversation of then,
    which is in the digest of the whole, may be over."""
    runs = tx.activations_of_agent(past.ref.rpartition("/")[2])
    if not runs:
        raise LookupError(past.ref)
    return replay_of_past_text(past, draft_for(runs[0]))
