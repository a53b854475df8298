"""The inbox: a target takes its own messages, for whoever has no push channel (D17)."""

from collections.abc import Callable

from tidings.domain.interaction.freedom import Free, Freedom
from tidings.domain.messages.deadline import is_past
from tidings.domain.messages.delivery import Happening
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.frame import Frame, frame_of
from tidings.domain.messages.handoff import Mark, put_mark, put_outcome
from tidings.domain.messages.hold import EXPIRED, LOST, Deliver, Settle
from tidings.domain.messages.judging import Chosen, Judgement, judge_queue, judge_row, settled
from tidings.domain.messages.lookout import BirthProbe, ConsentReader, Lookout
from tidings.domain.messages.outcomes import LeaseLost, Nothing, StepOutcome
from tidings.domain.messages.outlook import Outlook, Writer
from tidings.domain.messages.record import is_open
from tidings.domain.messages.reply_box import box_of
from tidings.domain.messages.settling import settle
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Clock, Instant
from tidings.ports.locks import Locks
from tidings.ports.messages import MessageStore, StoreTransaction
from tidings.ports.tokens import LockKind, TransportName
from tidings.ports.values import dataclass

LOCK_WAIT_SECONDS = 3.0
MARK_WAIT_SECONDS = 2.0
OUTCOME_WAIT_SECONDS = 30.0

SELF_CLAIM = Settle(happening=Happening.DELIVER, reason="target-self-claim")


@dataclass(frozen=True, slots=True, kw_only=True)
class _NoDialogs:
    """Who pulls is not being interrupted."""

    def freedom(self, session_key: str, owner_pid: int) -> Freedom:
        return Free(idle=None)

    def glimpse(self, session_key: str, owner_pid: int) -> Freedom:
        return Free(idle=None)


class Inbox:
    """Hands the head of a queue to the target itself. Who may pull is judged by the caller."""

    def __init__(
        self,
        *,
        store: MessageStore,
        consent: ConsentReader,
        probe: BirthProbe,
        locks: Locks,
        clock: Clock,
    ) -> None:
        self._store = store
        self._locks = locks
        self._clock = clock
        self._lookout = Lookout(consent=consent, observer=_NoDialogs(), probe=probe, clock=clock)

    def pull(self, activation_id: str, hand_over: Callable[[Frame], None]) -> StepOutcome:
        """Marks the head, gives its whole frame to ``hand_over``, and records it as claimed.

        Where ``hand_over`` raises, the mark stays: the text may have been read, so the next pull
        settles the message as uncertain and never shows it twice by itself.
        """
        target = self._store.view(lambda tx: tx.activation(activation_id))
        if target is None:
            return LeaseLost()
        with self._locks.hold(
            LockKind.DELIVERY, target.session_key, wait_seconds=LOCK_WAIT_SECONDS
        ):
            return self._pull(target, hand_over)

    def pull_box(self, token: str, hand_over: Callable[[Frame], None]) -> StepOutcome:
        """The same for the reply box that ``token`` opens (D22). An unknown token opens an empty box."""
        box = box_of(token)
        with self._locks.hold(LockKind.DELIVERY, _box_lock(box), wait_seconds=LOCK_WAIT_SECONDS):
            now = self._clock.now()
            marked = self._store.transact(
                lambda tx: _mark_in_box(tx, box, now), wait_seconds=MARK_WAIT_SECONDS
            )
            return self._claimed(marked, hand_over)

    def claim(self, activation_id: str, ref: str) -> StepOutcome:
        """Records that the target has read the answer ``ref`` already, whatever stands before it:
        the command that asked has printed it. Where it is not waiting any more, ``Nothing``."""
        target = self._store.view(lambda tx: tx.activation(activation_id))
        if target is None:
            return LeaseLost()
        with self._locks.hold(
            LockKind.DELIVERY, target.session_key, wait_seconds=LOCK_WAIT_SECONDS
        ):
            outlook = self._lookout.look(target)
            return self._store.transact(
                lambda tx: _claim_one(tx, target, ref, outlook), wait_seconds=MARK_WAIT_SECONDS
            )

    def _pull(self, target: ActivationRow, hand_over: Callable[[Frame], None]) -> StepOutcome:
        outlook = self._lookout.look(target)
        marked = self._store.transact(
            lambda tx: _mark_head(tx, target, outlook), wait_seconds=MARK_WAIT_SECONDS
        )
        return self._claimed(marked, hand_over)

    def _claimed(self, marked: Judgement, hand_over: Callable[[Frame], None]) -> StepOutcome:
        if not isinstance(marked, Chosen):
            return marked
        hand_over(frame_of(marked.envelope, answer_address=""))
        now, ref = self._clock.now(), marked.row.ref
        return self._store.transact(
            lambda tx: put_outcome(tx, ref, SELF_CLAIM, now), wait_seconds=OUTCOME_WAIT_SECONDS
        )


def _claim_one(
    tx: StoreTransaction, target: ActivationRow, ref: str, outlook: Outlook
) -> StepOutcome:
    row = tx.message(ref)
    is_waiting = row is not None and is_open(row) and row.handoff_at_ns is None
    if row is None or not is_waiting or row.target_agent != target.agent_uid:
        return Nothing()
    found = judge_row(tx, row, target=target, writer=_puller(target), outlook=outlook, marked=False)
    if not isinstance(found, Deliver):
        return Nothing()
    marked = put_mark(tx, row, _mark_of(target.activation_id), outlook.now)
    return put_outcome(tx, marked.ref, SELF_CLAIM, outlook.now)


def _puller(target: ActivationRow) -> Writer:
    return Writer(
        activation_id=target.activation_id, generation=None, conversation_id=None, ways=None
    )


def _mark_head(tx: StoreTransaction, target: ActivationRow, outlook: Outlook) -> Judgement:
    judged = judge_queue(tx, _puller(target), outlook)
    if isinstance(judged, Chosen):
        put_mark(tx, judged.row, _mark_of(target.activation_id), outlook.now)
    return judged


def _mark_in_box(tx: StoreTransaction, box: str, now: Instant) -> Judgement:
    """A box needs no consent and has no dialogs: only a lost claim and a deadline stand in the way."""
    for row in tx.marked(box):
        return settled(settle(tx, row, LOST, now))
    for row in tx.queue(box, limit=1):
        if is_past(row, now):
            return settled(settle(tx, row, EXPIRED, now))
        put_mark(tx, row, _mark_of(box), now)
        envelope = parse_envelope(row.envelope)
        return Chosen(row=row, envelope=envelope, transport=TransportName.INBOX)
    return Nothing()


def _mark_of(puller: str) -> Mark:
    return Mark(transport=TransportName.INBOX, writer_generation=puller, frame_sha256=None)


def _box_lock(box: str) -> str:
    """One of 256 locks, since lock files stay for ever and boxes are many."""
    return box[:6]
