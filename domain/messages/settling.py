"""Ending messages that will never go out, as work inside one transaction (D6, D20, P8)."""

from collections.abc import Mapping, Sequence

from tidings.domain.consent.arming import ArmState
from tidings.domain.messages.deadline import is_past, observed_at_ns
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.hold import EXPIRED, LOST, STALE, WITHDRAWN, Permission, Settle
from tidings.domain.messages.limits import QUEUE_WINDOW
from tidings.domain.messages.permission import consent_now
from tidings.domain.messages.record import advance, keep
from tidings.domain.messages.reply_box import is_box
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Instant
from tidings.ports.messages import MessageRow, MessageTransaction, StoreTransaction


def settle(tx: MessageTransaction, row: MessageRow, end: Settle, now: Instant) -> MessageRow:
    """The row after its end, written with its event."""
    at_ns = observed_at_ns(row, now)
    after = advance(
        row, end.happening, end.reason, at_ns=at_ns, outcome_unknown=end.outcome_unknown
    )
    keep(tx, row, after, at_ns=at_ns)
    return after


def due_rows(
    tx: StoreTransaction, target_agent: str, now: Instant
) -> Sequence[tuple[MessageRow, Settle]]:
    """What can be settled without the delivery lock: time that is up, and runs that are over.

    A marked row of a run that goes on belongs to whoever holds that lock.
    """
    waiting = [(row, _end_of(tx, row, now)) for row in tx.queue(target_agent)]
    marked = [(row, _lost_end(tx, row)) for row in tx.marked(target_agent)]
    return [(row, end) for row, end in (*waiting, *marked) if end is not None]


def settle_due(tx: StoreTransaction, target_agent: str, now: Instant) -> tuple[str, ...]:
    """Ends what ``due_rows`` names; the refs that ended."""
    due = due_rows(tx, target_agent, now)
    return tuple(settle(tx, row, end, now).ref for row, end in due)


def settle_in_passing(tx: StoreTransaction, target: ActivationRow, now: Instant) -> None:
    """What a sender ends on its way: what is over at the front of the target's queue, and writes of
    runs that ended. It looks no further than one window, so that no send slows as a queue grows."""
    found = tx.perhaps_over(target.agent_uid, target.activation_id, now=now, limit=QUEUE_WINDOW)
    for row in found:
        marked = row.handoff_at_ns is not None
        end = _lost_end(tx, row) if marked else _end_of(tx, row, now)
        if end is not None:
            settle(tx, row, end, now)


def withdrawn_rows(
    tx: MessageTransaction, target_agent: str, now: Instant, *, states: Mapping[str, ArmState]
) -> Sequence[MessageRow]:
    """Waiting messages that the consent of their session (by session key) no longer covers."""
    return [row for row in tx.queue(target_agent) if _is_withdrawn(row, now, states)]


def waiting_sessions(tx: MessageTransaction, target_agent: str) -> frozenset[str]:
    """The session keys that the waiting messages of one agent were addressed to."""
    rows = tx.queue(target_agent)
    return frozenset(parse_envelope(row.envelope).target.pane_uid for row in rows)


def withdraw_rows(
    tx: MessageTransaction, target_agent: str, now: Instant, *, states: Mapping[str, ArmState]
) -> tuple[str, ...]:
    """Ends them as refused, ``consent-withdrawn``; the refs that ended."""
    rows = withdrawn_rows(tx, target_agent, now, states=states)
    return tuple(settle(tx, row, WITHDRAWN, now).ref for row in rows)


def marked_of(tx: MessageTransaction, run: ActivationRow) -> Sequence[MessageRow]:
    """The messages to this very run whose write began and has not been settled."""
    return [
        row
        for row in tx.marked(run.agent_uid)
        if parse_envelope(row.envelope).target.activation_generation == run.activation_id
    ]


def _is_withdrawn(row: MessageRow, now: Instant, states: Mapping[str, ArmState]) -> bool:
    envelope = parse_envelope(row.envelope)
    state = states.get(envelope.target.pane_uid)
    if state is None:
        return False
    said = consent_now(row, envelope, state, now_ns=now.wall_ns)
    return said is Permission.WITHDRAWN


def _end_of(tx: StoreTransaction, row: MessageRow, now: Instant) -> Settle | None:
    if _run_is_over(tx, row):
        return STALE
    return EXPIRED if is_past(row, now) else None


def _lost_end(tx: StoreTransaction, row: MessageRow) -> Settle | None:
    return LOST if _run_is_over(tx, row) else None


def _run_is_over(tx: StoreTransaction, row: MessageRow) -> bool:
    if is_box(row.target_activation):
        return False
    run = tx.activation(row.target_activation)
    return run is None or run.ended_at_ns is not None
