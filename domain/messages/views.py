"""Looking at stored messages; nothing here writes (D20)."""

from tidings.domain.messages.delivery import OPEN_STATES, State
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.evidence import evidence_of
from tidings.domain.messages.receipt import MessageView, as_gone, as_of, explain
from tidings.domain.messages.refs import Prefixed, resolve_ref, short_ref
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Instant
from tidings.ports.messages import EventRow, MessageRow, MessageTransaction, StoreTransaction

_CANDIDATES = 10
"""Refs that an ambiguous prefix lists at most."""


def prefixed_in(tx: MessageTransaction) -> Prefixed:
    """Whole refs by prefix, a handful at most."""
    return lambda prefix: tuple(tx.refs_with_prefix(prefix, limit=_CANDIDATES))


def short_in(tx: MessageTransaction, ref: str) -> str:
    """The short form of ``ref`` among the stored ones."""
    return short_ref(ref, tx.neighbours(ref))


def view_of(tx: MessageTransaction, text: str, now: Instant) -> MessageView:
    """The message that ``text`` names. Raises ``NotFound`` and ``Ambiguous``."""
    ref = text if tx.message(text) is not None else resolve_ref(text, prefixed_in(tx))
    stored = tx.message(ref)
    if stored is None:
        raise LookupError(ref)
    return _explained(as_of(stored, now), short_in(tx, ref), tuple(tx.events(ref)))


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
