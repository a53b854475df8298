"""Choosing the one message that may go out now, as work inside one transaction (D15, D16, M 4.4)."""

from collections.abc import Sequence
from typing import TypeAlias

from tidings.domain.interaction.freedom import Free
from tidings.domain.messages.deadline import elapsed_ns, is_past
from tidings.domain.messages.delivery import Happening, State
from tidings.domain.messages.doorbell_line import DOORBELL_UNITS
from tidings.domain.messages.drafts import route_of
from tidings.domain.messages.envelope import Envelope
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.evidence import counts_for_pacing, note_unseen
from tidings.domain.messages.frame import frame_of
from tidings.domain.messages.frame_text import frame_line, utf16_units
from tidings.domain.messages.hold import (
    LOST,
    Deliver,
    Hold,
    HoldDecision,
    HoldFacts,
    HoldPolicy,
    Settle,
)
from tidings.domain.messages.limits import (
    MOST_LINE_UNITS,
    MOST_UNPROVED,
    QUEUE_WINDOW,
    TRIAL_NS,
)
from tidings.domain.messages.line import Line, TurnRule, line_up
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outcomes import Held, LeaseLost, Nothing, Settled, StepOutcome
from tidings.domain.messages.outlook import Outlook, Writer
from tidings.domain.messages.permission import consent_now
from tidings.domain.messages.qualification import Standing, conclude_trial, standing_of
from tidings.domain.messages.record import advance, keep
from tidings.domain.messages.settling import marked_of, settle
from tidings.domain.messages.transports import Passage, choose_transport
from tidings.domain.messages.wishes import When
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Instant
from tidings.ports.messages import MessageRow, MessageTransaction, StoreTransaction
from tidings.ports.tokens import TransportName
from tidings.ports.values import dataclass

BEHIND = Hold(reason="behind-earlier-message")
AWAITING_TURN = Hold(reason="awaiting-turn")
AWAITING_ASKER = Hold(reason="awaiting-asker")
_POLICY = HoldPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The message that may go out now, and which way. ``is_trial``: it is the one frame by which
    the client's version is tried (D19)."""

    row: MessageRow
    envelope: Envelope
    transport: TransportName
    is_trial: bool = False


Judgement: TypeAlias = Chosen | StepOutcome


def target_of(tx: StoreTransaction, writer: Writer) -> ActivationRow | None:
    """The living activation that the writer may deliver to; None once its lease is lost (P9)."""
    activation = tx.activation(writer.activation_id)
    if activation is None or activation.ended_at_ns is not None:
        return None
    if writer.pulls:
        return activation
    lease = tx.registration(writer.activation_id)
    if lease is None or not lease.ready or lease.resident is None:
        return None
    return activation if lease.generation == writer.generation else None


def judge_queue(tx: StoreTransaction, writer: Writer, outlook: Outlook) -> Judgement:
    """The next message to hand over, or what stands in the way; holds and ends are written."""
    target = target_of(tx, writer)
    if target is None:
        return LeaseLost()
    for lost in marked_of(tx, target):  # its writer is gone, since we hold the lock
        return settled(settle(tx, lost, LOST, outlook.now))
    note_unseen(tx, target.agent_uid, outlook.now, idle_ns=outlook.idle_ns)
    conclude_trial(tx, target, outlook.now)
    line = _line_of(tx, target, turn_rule(writer, outlook))
    return _judge_line(tx, line, target, writer, outlook)


def turn_rule(writer: Writer, outlook: Outlook) -> TurnRule:
    """Which messages start no turn at this target now."""
    return TurnRule(pulls=writer.pulls, may_be_woken=outlook.consent.may_be_woken)


def would_wake(
    tx: StoreTransaction, row: MessageRow, target: ActivationRow, writer: Writer, outlook: Outlook
) -> bool:
    """Whether writing ``row``, which is marked, would start a turn that nothing else starts: a
    notice whose waking is not armed (any more), or whose head will not follow it (any more)."""
    rule = turn_rule(writer, outlook)
    if not rule.waits(row):
        return False
    head = _line_of(tx, target, rule).head
    return head is None or not _may_follow(tx, head, target, writer, outlook)


def _may_follow(
    tx: StoreTransaction, head: MessageRow, target: ActivationRow, writer: Writer, outlook: Outlook
) -> bool:
    """Whether ``head`` may go out right behind a notice. Where there is no room for both, it goes
    and the notice waits on: a notice blocks nobody (D15)."""
    found = judge_row(
        tx, head, target=target, writer=writer, outlook=outlook, marked=False, before=1
    )
    return isinstance(found, Deliver)


def _line_of(tx: MessageTransaction, target: ActivationRow, rule: TurnRule) -> Line:
    """The front of the line. Where nothing but notices stands there, its head is looked for behind
    them; one by one only where it may be a notice that wakes."""
    uid = target.agent_uid
    front = tx.queue(uid, limit=QUEUE_WINDOW)
    line = line_up(front, rule)
    if line.head is not None or len(front) < QUEUE_WINDOW:
        return line
    if rule.may_be_woken:
        return line_up(tx.queue(uid), rule)
    return line_up([*front, *tx.queue(uid, limit=1, but_kind=MessageKind.NOTICE)], rule)


def judge_row(
    tx: StoreTransaction,
    row: MessageRow,
    *,
    target: ActivationRow,
    writer: Writer,
    outlook: Outlook,
    marked: bool,
    before: int = 0,
) -> HoldDecision:
    """The policy's word on one message. ``marked`` False is the writer's own view of its mark;
    ``before`` counts frames that are to go out right before it and need room too."""
    envelope = parse_envelope(row.envelope)
    return _POLICY.decide(
        HoldFacts(
            marked=marked,
            past_deadline=is_past(row, outlook.now),
            target_current=envelope.target == route_of(target),
            owner=outlook.owner,
            permission=consent_now(row, envelope, outlook.consent, now_ns=outlook.now.wall_ns),
            ready=writer.pulls or writer.conversation_id == target.conversation_id,
            freedom=outlook.freedom,
            unproved=0 if writer.pulls else before + _unproved(tx, target.agent_uid),
            when=When.NOW if writer.pulls else envelope.wishes.when,
            idle_ns=outlook.idle_ns,
        )
    )


def _judge_line(
    tx: StoreTransaction, line: Line, target: ActivationRow, writer: Writer, outlook: Outlook
) -> Judgement:
    first_notices = line.notices[:MOST_UNPROVED]  # no more of them can go out now
    candidates = [*first_notices, *([line.head] if line.head is not None else [])]
    if not candidates:
        return Nothing()
    decision: Deliver | Hold = AWAITING_TURN
    for row in candidates:
        found = judge_row(tx, row, target=target, writer=writer, outlook=outlook, marked=False)
        if isinstance(found, Settle):
            return settled(settle(tx, row, found, outlook.now))
        decision = found
    if line.head is None:
        return _hold_all(tx, line.notices, AWAITING_TURN, outlook.now)
    if isinstance(decision, Deliver):
        has_room = _may_follow(tx, line.head, target, writer, outlook)
        first = candidates[0] if has_room else line.head
        chosen = _chosen_of(tx, (line.head, first), target, writer, outlook)
        if isinstance(chosen, Chosen):
            return chosen
        decision = chosen
    _hold_all(tx, line.notices, AWAITING_TURN, outlook.now)
    _hold_all(tx, line.rest, BEHIND, outlook.now)
    return _hold_all(tx, [line.head], decision, outlook.now)


def _chosen_of(
    tx: StoreTransaction,
    rows: tuple[MessageRow, MessageRow],
    target: ActivationRow,
    writer: Writer,
    outlook: Outlook,
) -> Chosen | Hold:
    """The second of two: a notice goes out only where its head, the first, may follow it."""
    head = _chosen(tx, rows[0], target, writer, outlook)
    if isinstance(head, Hold) or rows[0] is rows[1]:
        return head
    return _chosen(tx, rows[1], target, writer, outlook)


def _chosen(
    tx: StoreTransaction,
    row: MessageRow,
    target: ActivationRow,
    writer: Writer,
    outlook: Outlook,
) -> Chosen | Hold:
    """The message with its way, or the wait on that way."""
    envelope = parse_envelope(row.envelope)
    if writer.ways is None:
        return Chosen(row=row, envelope=envelope, transport=TransportName.INBOX)
    if row.reply_to in writer.awaited:
        return AWAITING_ASKER
    standing = standing_of(tx, target, outlook.now)
    line = frame_line(frame_of(envelope, answer_address="")) if writer.ways.line else ""
    choice = choose_transport(
        Passage(
            ways=writer.ways,
            standing=standing,
            is_busy=outlook.freedom == Free(idle=False) and elapsed_ns(row, outlook.now) < TRIAL_NS,
            fits_line=bool(line),
            socket_has_room=writer.may_write,
            line_has_room=bool(line) and _line_has_room(tx, target.agent_uid, line),
        )
    )
    if isinstance(choice, Hold):
        return choice
    is_trial = choice is TransportName.HARNESS_SOCKET and standing is Standing.UNTRIED
    return Chosen(row=row, envelope=envelope, transport=choice, is_trial=is_trial)


def _line_has_room(tx: MessageTransaction, agent_uid: str, line: str) -> bool:
    """Whether it fits beside the lines that are neither seen nor unseen, and one doorbell."""
    unseen = [row for row in tx.unproved(agent_uid) if row.transport == TransportName.MONITOR_LINE]
    frames = [frame_of(parse_envelope(row.envelope), answer_address="") for row in unseen]
    units = [DOORBELL_UNITS, *(utf16_units(frame_line(frame)) for frame in frames)]
    return sum(units) + utf16_units(line) <= MOST_LINE_UNITS


def _hold_all(
    tx: MessageTransaction, rows: Sequence[MessageRow], hold: Hold, now: Instant
) -> Judgement:
    for row in rows:
        if (row.state, row.reason) == (State.HELD, hold.reason):
            continue
        held = advance(row, Happening.HOLD, hold.reason, at_ns=now.wall_ns)
        keep(tx, row, held, at_ns=now.wall_ns)
    return Held(ref=rows[0].ref, reason=hold.reason) if rows else Nothing()


def _unproved(tx: MessageTransaction, agent_uid: str) -> int:
    return sum(counts_for_pacing(row) for row in tx.unproved(agent_uid))


def settled(row: MessageRow) -> Settled:
    """How the message ended, as one step's outcome."""
    return Settled(
        ref=row.ref,
        state=State(row.state),
        reason=row.reason,
        outcome_unknown=row.outcome_unknown,
    )
