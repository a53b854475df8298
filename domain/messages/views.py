"""Looking at stored messages; nothing here writes (D20)."""

from tidings.domain.messages.delivery import OPEN_STATES, State
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.evidence import evidence_of
from tidings.domain.messages.limits import SHORTEST_PREFIX
from tidings.domain.messages.receipt import MessageView, as_gone, as_of, explain
from tidings.domain.messages.refs import Prefixed, resolve_ref, short_ref
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Instant
from tidings.ports.errors import NotFound
from tidings.ports.history import HistoryRow
from tidings.ports.messages import EventRow, MessageRow, MessageTransaction, StoreTransaction

_CANDIDATES = 10
"""Refs that an ambiguous prefix lists at most."""


def prefixed_in(tx: MessageTransaction) -> Prefixed:
    """Whole refs by prefix, a handful at most."""
    return lambda prefix: tuple(tx.refs_with_prefix(prefix, limit=_CANDIDATES))


def short_in(tx: MessageTransaction, ref: str) -> str:
    """The short form of ``ref`` among the stored ones."""
    return short_ref(ref, tx.neighbours(ref))


def past_in(tx: StoreTransaction, text: str) -> HistoryRow | None:
    """What is kept of the message that left which ``text`` names, whole or short; None where it
    names a stored one, or nothing. Raises ``Ambiguous``."""
    if tx.message(text) is not None:
        return None
    whole = tx.history(text)
    if whole is not None or len(text) < SHORTEST_PREFIX or tx.refs_with_prefix(text, limit=1):
        return whole
    found = tuple(tx.history_refs(text, limit=_CANDIDATES))
    return tx.history(resolve_ref(text, lambda _: found)) if found else None


def view_of(tx: StoreTransaction, text: str, now: Instant) -> MessageView:
    """The message that ``text`` names. Raises ``NotFound``, also for one that left, and
    ``Ambiguous``."""
    ref = text if tx.message(text) is not None else _stored_ref(tx, text)
    stored = tx.message(ref)
    if stored is None:
        raise LookupError(ref)
    return _explained(as_of(stored, now), short_in(tx, ref), tuple(tx.events(ref)))


def _stored_ref(tx: StoreTransaction, text: str) -> str:
    past = past_in(tx, text)
    if past is None:
        return resolve_ref(text, prefixed_in(tx))
    raise NotFound(
        f"{past.ref} has left the store, and with it its text",
        next_step=f"`tidings show {past.ref}` says what became of it",
    )


def awaited_run(tx: StoreTransaction, view: MessageView) -> ActivationRow | None:
    """The run that a waiting message is meant for, while nothing of it was written; else None.

    A marked message may have reached it, so its end is not for a reader to tell.
    """
    if view.state not in OPEN_STATES or view.row.handoff_at_ns is not None:
        return None
    return tx.activation(view.envelope.target.activation_generation)


def without_target(view: MessageView, now: Instant) -> MessageView:
    """The view of a waiting message whose target is proved gone: it will not be delivered."""
    return _explained(as_gone(view.row, now), view.short, view.events)


def _explained(row: MessageRow, short: str, events: tuple[EventRow, ...]) -> MessageView:
    meaning, next_step, exit_code = explain(row)
    return MessageView(
        row=row,
        envelope=parse_envelope(row.envelope),
        short=short,
        state=State(row.state),
        evidence=evidence_of(row),
        text=meaning,
        next_step=next_step,
        exit_code=exit_code,
        events=events,
    )
