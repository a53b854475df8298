"""The dispatcher: hands off one message at a time, under the target's delivery lock (D15, D16)."""

from tidings.domain.messages.bucket import FrameBucket, lately_spent
from tidings.domain.messages.delivery import Happening
from tidings.domain.messages.doorbell_line import DOORBELL_LINE, note_rung
from tidings.domain.messages.fence import Fence
from tidings.domain.messages.frame import FrameWay, frame_of
from tidings.domain.messages.frame_fit import fit_frame
from tidings.domain.messages.frame_text import (
    frame_content,
    frame_digest,
    frame_line,
    text_digest,
)
from tidings.domain.messages.handoff import (
    Mark,
    end_of_write,
    end_too_large,
    outcome_unrecorded,
    put_mark,
    put_outcome,
    take_back,
)
from tidings.domain.messages.hold import Settle
from tidings.domain.messages.judging import Chosen, judge_queue
from tidings.domain.messages.lookout import BirthProbe, ConsentReader, FreedomReader, Lookout
from tidings.domain.messages.open_answers import OpenAnswers, OpenNow
from tidings.domain.messages.outcomes import Held, LeaseLost, Nothing, StepOutcome
from tidings.domain.messages.outlook import Outlook, Ways, Writer
from tidings.domain.messages.qualification import begin_trial
from tidings.domain.messages.transports import AWAITING_PULL
from tidings.domain.messages.waiters import waiters_of
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Clock
from tidings.ports.errors import StateUnreadable
from tidings.ports.locks import Locks
from tidings.ports.messages import MessageRow, MessageStore, StoreTransaction
from tidings.ports.replies import ReplySockets
from tidings.ports.tokens import LockKind, TransportName, Verdict, WriteResult
from tidings.ports.transport import Endpoint, LineTransport, Transport, WriteFact
from tidings.ports.values import dataclass, replace

LOCK_WAIT_SECONDS = 3.0
MARK_WAIT_SECONDS = 2.0
OUTCOME_WAIT_SECONDS = 30.0
"""How long the delivery lock, the mark and the outcome wait (D8, D30)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryPost:
    """Where a resident stands: its activation, the generation of its lease, and the harness's end.

    ``endpoint`` None: the session has no socket, and so ``ways`` has none. ``budget_bytes`` narrows
    the socket's limit for one frame; None takes the limit. ``awaited`` and ``may_write`` are looked up at each step.
    """

    activation_id: str
    generation: str
    conversation_id: str
    endpoint: Endpoint | None
    ways: Ways
    awaited: frozenset[str] = frozenset()
    may_write: bool = True
    budget_bytes: int | None = None

    @property
    def writer(self) -> Writer:
        """The post as the judge of a queue sees it."""
        return Writer(
            activation_id=self.activation_id,
            generation=self.generation,
            conversation_id=self.conversation_id,
            ways=self.ways,
            awaited=self.awaited,
            may_write=self.may_write,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """What would be written, and the digest by which its reading is proved."""

    content: str
    digest: str


class Dispatcher:
    """One per resident. It never sleeps and never tries again: the resident calls ``step``."""

    def __init__(
        self,
        *,
        store: MessageStore,
        consent: ConsentReader,
        observer: FreedomReader,
        probe: BirthProbe,
        locks: Locks,
        clock: Clock,
        transport: Transport,
        line: LineTransport | None,
        reply_sockets: ReplySockets,
    ) -> None:
        self._store = store
        self._locks = locks
        self._clock = clock
        self._probe = probe
        self._bucket: FrameBucket | None = None
        self._transport = transport
        self._line = line
        self._lookout = Lookout(consent=consent, observer=observer, probe=probe, clock=clock)
        self._answers = OpenAnswers(
            store=store, consent=consent, probe=probe, clock=clock, sockets=reply_sockets
        )

    def step(self, post: DeliveryPost) -> StepOutcome:
        """Hands off the head of the queue, or says what stands in the way; at most one write.

        Raises ``LockTimeout`` when the delivery lock stays taken 3 s, and ``StoreLocked`` or
        ``StateUnwritable`` before any byte went; the message then simply waits.
        """
        target = self._store.view(lambda tx: tx.activation(post.activation_id))
        if target is None or target.ended_at_ns is not None:
            return LeaseLost()
        if not self._store.view(lambda tx: _has_work(tx, target.agent_uid)):
            return Nothing()
        self._lookout.settle_dialogs(target)
        room = self._room(target).has_room(self._clock.now().monotonic_ns)
        post = replace(post, awaited=self._awaited(target), may_write=room)
        with self._locks.hold(
            LockKind.DELIVERY, target.session_key, wait_seconds=LOCK_WAIT_SECONDS
        ):
            return self._step(post, target)

    def _room(self, target: ActivationRow) -> FrameBucket:
        if self._bucket is None:
            now = self._clock.now()
            spent = self._store.view(lambda tx: lately_spent(tx, target.agent_uid, now))
            self._bucket = FrameBucket(now.monotonic_ns, spent=spent)
        return self._bucket

    def _awaited(self, target: ActivationRow) -> frozenset[str]:
        """The questions of ``target`` that were answered while the process that asked still lives."""
        waiters = self._store.view(lambda tx: waiters_of(tx, target.agent_uid))
        return frozenset(
            ref
            for ref, process in waiters.items()
            if self._probe.alive_birth(process) is Verdict.ALIVE
        )

    def tend_answers(self, activation_id: str) -> OpenNow:
        """Opens the answer sockets of delivered messages, closes those at which no answer would be
        taken any more. To be called at the start, now and then, and when the first one is over."""
        return self._answers.tend(activation_id)

    def _step(self, post: DeliveryPost, target: ActivationRow) -> StepOutcome:
        judged = self._judged(post, target)
        if isinstance(judged, Held) and judged.reason == AWAITING_PULL.reason:
            self._tell_of(judged, post, target)
        if not isinstance(judged, Chosen):
            return judged
        prepared = self._prepared(judged, post)
        if prepared is None:
            return self._end(judged.row.ref, self._too_large(judged, post))
        outlook = self._lookout.look(target)
        marked = self._store.transact(
            lambda tx: self._mark(tx, post, target, judged, prepared, outlook),
            wait_seconds=MARK_WAIT_SECONDS,
        )
        if not isinstance(marked, MessageRow):
            return marked
        return self._write(post, target, judged, prepared)

    def _judged(self, post: DeliveryPost, target: ActivationRow) -> Chosen | StepOutcome:
        outlook = self._lookout.look(target)
        return self._store.transact(
            lambda tx: judge_queue(tx, post.writer, outlook), wait_seconds=MARK_WAIT_SECONDS
        )

    def _prepared(self, chosen: Chosen, post: DeliveryPost) -> _Prepared | None:
        """The frame as it fits its way; a line has no socket to answer at."""
        frame = frame_of(chosen.envelope, answer_address="")
        if chosen.transport is TransportName.MONITOR_LINE:
            line = frame_line(frame)
            return _Prepared(content=line, digest=text_digest(line))
        if frame.answer_way is not FrameWay.NONE:
            frame = frame_of(chosen.envelope, answer_address=self._answers.address(chosen.row.ref))
        fitted = fit_frame(frame, self._transport, budget_bytes=post.budget_bytes)
        if fitted is None:
            return None
        return _Prepared(content=frame_content(fitted), digest=frame_digest(fitted))

    def _too_large(self, chosen: Chosen, post: DeliveryPost) -> Settle:
        content = frame_content(frame_of(chosen.envelope, answer_address="").cut_to(1))
        limit = min(self._transport.limit(), post.budget_bytes or self._transport.limit())
        return end_too_large(self._transport.size(content), limit)

    def _mark(
        self,
        tx: StoreTransaction,
        post: DeliveryPost,
        target: ActivationRow,
        chosen: Chosen,
        prepared: _Prepared,
        outlook: Outlook,
    ) -> MessageRow | StepOutcome:
        """Judges once more and commits the mark in the same transaction (P4)."""
        again = judge_queue(tx, post.writer, outlook)
        if not isinstance(again, Chosen):
            return again
        if (again.row.ref, again.transport) != (chosen.row.ref, chosen.transport):
            return Nothing()
        mark = Mark(
            transport=again.transport,
            writer_generation=post.generation,
            frame_sha256=prepared.digest,
        )
        if again.is_trial:
            begin_trial(tx, target, again.row.ref)
        return put_mark(tx, again.row, mark, outlook.now)

    def _write(
        self, post: DeliveryPost, target: ActivationRow, chosen: Chosen, prepared: _Prepared
    ) -> StepOutcome:
        ref = chosen.row.ref
        fence = self._fence(post, target, ref, is_marked=True)
        fact = self._written(post, chosen.transport, prepared.content, fence)
        if fence.refused and fact.result is WriteResult.ZERO:
            return self._taken_back(ref, fence)
        return self._end(ref, end_of_write(fact, chosen.transport))

    def _written(
        self, post: DeliveryPost, way: TransportName, content: str, fence: Fence
    ) -> WriteFact:
        """By the chosen way. One that is not there takes no byte."""
        if way is TransportName.MONITOR_LINE and self._line is not None:
            return self._line.write(content, fence)
        if way is TransportName.HARNESS_SOCKET and post.endpoint is not None:
            fact = self._transport.write(post.endpoint, content, fence)
            if self._bucket is not None and fact.result is not WriteResult.ZERO:
                self._bucket.take(self._clock.now().monotonic_ns)
            return fact
        return WriteFact(result=WriteResult.ZERO, reason="provider-prewrite-refused")

    def _tell_of(self, held: Held, post: DeliveryPost, target: ActivationRow) -> None:
        """Rings once for what waits to be pulled, under the same lock and looks as a message."""
        if self._line is None:
            return
        outlook = self._lookout.look(target)
        rings = self._store.transact(
            lambda tx: (
                judge_queue(tx, post.writer, outlook) == held
                and note_rung(tx, target.agent_uid, held.ref, outlook.now)
            ),
            wait_seconds=MARK_WAIT_SECONDS,
        )
        if rings:
            self._line.write(DOORBELL_LINE, self._fence(post, target, held.ref, is_marked=False))

    def _fence(
        self, post: DeliveryPost, target: ActivationRow, ref: str, *, is_marked: bool
    ) -> Fence:
        return Fence(
            store=self._store,
            lookout=self._lookout,
            target=target,
            writer=post.writer,
            ref=ref,
            is_marked=is_marked,
        )

    def _taken_back(self, ref: str, fence: Fence) -> StepOutcome:
        """Our own fence said no before any byte: the mark goes, the message waits or ends."""
        now = self._clock.now()
        return self._store.transact(
            lambda tx: take_back(tx, ref, fence.finding, now), wait_seconds=OUTCOME_WAIT_SECONDS
        )

    def _end(self, ref: str, end: Settle) -> StepOutcome:
        """Records how it ended. Where that fails the mark stays, and the next holder settles it."""
        now = self._clock.now()
        if end.happening is not Happening.DELIVER:
            self._answers.close(ref)
        try:
            return self._store.transact(
                lambda tx: put_outcome(tx, ref, end, now), wait_seconds=OUTCOME_WAIT_SECONDS
            )
        except StateUnreadable:
            return outcome_unrecorded(ref, end)


def _has_work(tx: StoreTransaction, agent_uid: str) -> bool:
    return bool(tx.queue(agent_uid, limit=1) or tx.marked(agent_uid) or tx.unproved(agent_uid))
