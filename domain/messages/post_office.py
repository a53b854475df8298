"""The post office: accepts messages, shows them, ends them; it never writes to a harness (D15)."""

from collections.abc import Callable, Mapping, Sequence

from tidings.domain.messages.acceptance import (
    StoreFull,
    accept,
    accepted_refs,
    hold_unheard,
    replay_of,
)
from tidings.domain.messages.answering import (
    AnswerDraft,
    asker_of,
    commit_answer,
    note_refused_answer,
)
from tidings.domain.messages.business import Business, asked_sessions, business_of
from tidings.domain.messages.delivery import OPEN_STATES, State
from tidings.domain.messages.drafts import Draft, envelope_of_draft, guard_fault, usage_fault
from tidings.domain.messages.envelope import Envelope, FaultClass, payload_fault
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.fan_out import (
    DraftFor,
    accept_fan_out,
    refs_under,
    replay_fan_out,
    unread_consent,
)
from tidings.domain.messages.frame import frame_of
from tidings.domain.messages.frame_fit import Fit, FrameSizer, fit_frame
from tidings.domain.messages.hold import CANCELLED
from tidings.domain.messages.lookout import BirthProbe, ConsentReader
from tidings.domain.messages.members import MOST_TARGETS, member_ref
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.receipt import MessageView, receipt_of, refused, with_row
from tidings.domain.messages.refs import is_usable_ref, mint_ref
from tidings.domain.messages.reply import ReplyFault
from tidings.domain.messages.room import StoreLimits
from tidings.domain.messages.send_outcome import Receipt, Refused, SendOutcome
from tidings.domain.messages.settling import (
    due_rows,
    settle,
    settle_due,
    waiting_sessions,
    withdraw_rows,
)
from tidings.domain.messages.views import awaited_run, past_in, short_in, view_of, without_target
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Clock, Instant
from tidings.ports.doorbell import Doorbell
from tidings.ports.errors import UsageError
from tidings.ports.history import HistoryRow
from tidings.ports.ids import Ids
from tidings.ports.messages import MessageStore, StoreTransaction
from tidings.ports.tokens import Provider, Verdict
from tidings.ports.values import replace

WRITE_WAIT_SECONDS = 2.0
REPLY_WAIT_SECONDS = 0.0
"""A reply commit does not wait for the store (D30): who answers can simply answer again."""

LONGEST_ANSWER_ADDRESS = f"uds:/{'x' * 99}"
"""A socket's path is at most 100 bytes (M 1.1); sizes at acceptance assume the longest."""


class PostOffice:
    """Takes messages in. Every method is bounded; a locked store is ``StoreLocked``, never silence."""

    def __init__(
        self,
        *,
        store: MessageStore,
        consent: ConsentReader,
        clock: Clock,
        ids: Ids,
        doorbell: Doorbell,
        sizer: FrameSizer,
        probe: BirthProbe,
        limits: Callable[[], StoreLimits],
    ) -> None:
        self._probe = probe
        self._store = store
        self._consent = consent
        self._clock = clock
        self._ids = ids
        self._doorbell = doorbell
        self._sizer = sizer
        self._limits = limits

    def send(self, draft: Draft) -> SendOutcome:
        """Accepts ``draft`` and rings at its target, or says why not, in the order of D20.

        The same ref again returns the stored message and rings nobody. Raises ``StoreLocked``,
        ``StateUnwritable``, and ``StateUnreadable`` where the limits of the store cannot be told;
        then nothing was stored.
        """
        guard = guard_fault(draft)
        if guard:
            return refused(guard)
        ref, now = draft.ref or mint_ref(self._ids), self._clock.now()
        envelope = envelope_of_draft(draft, ref=ref, now=now)
        fault = usage_fault(draft, envelope)
        if fault is not None:
            return refused(str(fault.token), detail=fault.detail)
        if draft.ref is not None:
            again = self._store.view(lambda tx: replay_of(tx, envelope, now))
            if again is not None:
                return self._as_seen(again)
        fit = self._fit_of(envelope)
        if fit is Fit.NOTHING:
            return refused("provider-frame-too-large")
        consent, limits = self._consent.state(draft.target.session_key), self._limits()
        outcome = self._taken_in(
            lambda tx: accept(tx, draft, envelope, now=now, consent=consent, limits=limits),
            wait_seconds=WRITE_WAIT_SECONDS,
        )
        return self._rung(outcome, draft.target.session_key, whole=fit is Fit.WHOLE)

    def send_to_all(
        self, draft_for: DraftFor, targets: Sequence[ActivationRow], *, ref: str
    ) -> tuple[SendOutcome, ...]:
        """One text to each of ``targets`` under one ref, stored in one transaction.

        The same ref again answers for those who were reached before, and adds nobody; where it
        reached nobody it is a new one. A target whose consent cannot be read, or a store without
        room, refuses it for all. Raises as ``send``, and ``UsageError`` for more than 1,000
        targets; then nothing was stored for anybody.
        """
        if len(targets) > MOST_TARGETS:
            raise UsageError(f"{len(targets)} sessions are more than one fan-out can reach")
        if not is_usable_ref(ref):
            return (refused(FaultClass.CORRELATION, detail="messageRef"),)
        now = self._clock.now()
        before = self._store.view(lambda tx: replay_fan_out(tx, draft_for, ref=ref, now=now))
        if before:
            return before
        faults = [
            _draft_fault(draft_for(one), ref=member_ref(ref, one.agent_uid), now=now)
            for one in targets
        ]
        if any(faults):  # of one text for all, so mostly one fault
            return tuple(dict.fromkeys(fault for fault in faults if fault is not None))
        limits = self._limits()
        consents = {one.session_key: self._consent.state(one.session_key) for one in targets}
        unread = unread_consent(targets, consents)
        if unread is not None:
            return (unread,)
        try:
            outcomes = self._store.transact(
                lambda tx: accept_fan_out(
                    tx, draft_for, targets, ref=ref, now=now, consents=consents, limits=limits
                ),
                wait_seconds=WRITE_WAIT_SECONDS,
            )
        except StoreFull:
            return (refused("store-full"),)
        by_ref = {member_ref(ref, one.agent_uid): one for one in targets}
        return tuple(
            self._rung_of_many(one, draft_for, by_ref, now) if isinstance(one, Receipt) else one
            for one in outcomes
        )

    def answer(
        self,
        original_ref: str,
        text: str,
        *,
        replier: ActivationRow,
        proof: Proof,
        place: str = "",
        ref: str | None = None,
        wait_seconds: float = REPLY_WAIT_SECONDS,
    ) -> SendOutcome:
        """Accepts the one answer to ``original_ref`` (a whole ref) and rings at the asker.

        The answer lives as long as the original at most; it needs no ON, but an OFF or a doubtful
        mark refuses it (D6). Raises ``StoreLocked`` when the store stays busy ``wait_seconds``.
        """
        fault = payload_fault(text.strip() and text)
        if fault is not None or (ref is not None and not is_usable_ref(ref)):
            return refused(ReplyFault.ENVELOPE, detail=fault.detail if fault else "messageRef")
        asker_key = self._store.view(lambda tx: _asker_key(tx, original_ref))
        consent = self._consent.state(asker_key) if asker_key else None
        draft = AnswerDraft(
            original_ref=original_ref,
            ref=ref or mint_ref(self._ids),
            text=text,
            replier=replier,
            proof=proof,
            place=place,
        )
        now, limits = self._clock.now(), self._limits()
        outcome = self._taken_in(
            lambda tx: commit_answer(
                tx, draft, now=now, asker_key=asker_key, consent=consent, limits=limits
            ),
            wait_seconds=wait_seconds,
        )
        return self._rung(outcome, asker_key, whole=True)

    def refs_under(self, ref: str) -> tuple[str, ...]:
        """What was stored under a whole ref, a message's own or a fan-out's; also what left."""
        return self._store.view(lambda tx: refs_under(tx, ref))

    def note_refused_answer(self, original_ref: str, reason: str) -> None:
        """Keeps with the message (by its whole ref) why an answer to it was not taken, once for each
        reason, so that both ends can read it. Raises ``StoreLocked``, ``StateUnwritable``."""
        now = self._clock.now()
        self._store.transact(
            lambda tx: note_refused_answer(tx, original_ref, reason, now),
            wait_seconds=WRITE_WAIT_SECONDS,
        )

    def view(self, ref: str) -> MessageView:
        """The message that a whole ref or a unique prefix of five letters names; nothing is written.

        A passed deadline shows as passed, and what waits for a run that is proved over as stale,
        though nobody settled it yet. Raises ``NotFound`` and ``Ambiguous``.
        """
        now = self._clock.now()

        def look(tx: StoreTransaction) -> tuple[MessageView, ActivationRow | None]:
            view = view_of(tx, ref, now)
            return view, awaited_run(tx, view)

        view, run = self._store.view(look)
        return without_target(view, now) if run is not None and self._is_over(run) else view

    def past(self, ref: str) -> HistoryRow | None:
        """What is kept of a message that left the store, by its whole ref or a unique beginning;
        None where a stored message is called so, or none. Raises ``Ambiguous``."""
        return self._store.view(lambda tx: past_in(tx, ref))

    def text_of(self, ref: str) -> str | None:
        """The text of the stored message with this whole ref; None once it left."""
        row = self._store.view(lambda tx: tx.message(ref))
        return None if row is None else parse_envelope(row.envelope).payload

    def business(self, agent_uid: str) -> Business:
        """What is open at one agent; nothing is written."""
        now = self._clock.now()
        return self._store.view(lambda tx: business_of(tx, agent_uid, now))

    def asked_sessions(self, source_agent: str) -> frozenset[str]:
        """The session keys from which answers to this agent are still awaited."""
        now = self._clock.now()
        return self._store.view(lambda tx: asked_sessions(tx, source_agent, now))

    def hold_back(self, target_agent: str) -> None:
        """Holds what is merely accepted for a target that has no way in: ``target-not-ready``."""
        now = self._clock.now()
        refs = self._store.view(lambda tx: accepted_refs(tx, target_agent))
        if refs:
            self._store.transact(
                lambda tx: [hold_unheard(tx, ref, now) for ref in refs],
                wait_seconds=WRITE_WAIT_SECONDS,
            )

    def settle_due(self, target_agent: str) -> tuple[str, ...]:
        """Ends what can end without the delivery lock: time that is up, runs that are over."""
        now = self._clock.now()
        if not self._store.view(lambda tx: due_rows(tx, target_agent, now)):
            return ()
        return self._store.transact(
            lambda tx: settle_due(tx, target_agent, now),
            wait_seconds=WRITE_WAIT_SECONDS,
        )

    def withdraw(self, target_agent: str) -> tuple[str, ...]:
        """Ends waiting messages that consent no longer covers: ``consent-withdrawn`` (D6).

        A mark that cannot be read or proved ends nothing; those messages stay held.
        """
        now = self._clock.now()
        keys = self._store.view(lambda tx: waiting_sessions(tx, target_agent))
        if not keys:
            return ()
        states = {key: self._consent.state(key) for key in keys}
        return self._store.transact(
            lambda tx: withdraw_rows(tx, target_agent, now, states=states),
            wait_seconds=WRITE_WAIT_SECONDS,
        )

    def cancel(self, ref: str, *, source_agent: str | None) -> SendOutcome:
        """Ends a waiting message of ``source_agent`` (None: of no agent) before its hand-off mark.

        A message that is marked or ended stays as it is, and its receipt says so. ``ref`` is whole.
        """
        now = self._clock.now()

        def work(tx: StoreTransaction) -> SendOutcome:
            row = tx.message(ref)
            if row is None or row.source_agent != source_agent:
                return refused("source-not-yours" if row else ReplyFault.NOT_FOUND)
            after = row if row.handoff_at_ns is not None else settle(tx, row, CANCELLED, now)
            return receipt_of(after, short=short_in(tx, ref))

        return self._store.transact(work, wait_seconds=WRITE_WAIT_SECONDS)

    def _is_over(self, run: ActivationRow) -> bool:
        """A run ends with its process, whether or not anybody marked that."""
        if run.ended_at_ns is not None:
            return True
        return self._probe.alive_birth(run.owner, run.place) is Verdict.DEAD

    def _as_seen(self, again: SendOutcome) -> SendOutcome:
        """A receipt from the store, as a reader sees its message."""
        if isinstance(again, Refused) or again.state not in OPEN_STATES:
            return again
        return with_row(again, self.view(again.ref).row, whole=again.whole)

    def _rung_of_many(
        self,
        receipt: Receipt,
        draft_for: DraftFor,
        by_ref: Mapping[str, ActivationRow],
        now: Instant,
    ) -> SendOutcome:
        """A message that was stored by somebody else at the same time is not rung for again."""
        target = by_ref.get(receipt.ref)
        if target is None:
            return receipt
        fit = self._fit_of(envelope_of_draft(draft_for(target), ref=receipt.ref, now=now))
        return self._rung(receipt, target.session_key, whole=fit is Fit.WHOLE)

    def _fit_of(self, envelope: Envelope) -> Fit:
        """What the target's transport takes of the message at once; who pulls is given all of it."""
        if envelope.target.provider == Provider.PROCESS:
            return Fit.WHOLE
        frame = frame_of(envelope, answer_address=LONGEST_ANSWER_ADDRESS)
        fitted = fit_frame(frame, self._sizer)
        if fitted is None:
            return Fit.NOTHING
        return Fit.WHOLE if fitted.is_whole else Fit.HEAD

    def _taken_in(
        self, work: Callable[[StoreTransaction], SendOutcome], *, wait_seconds: float
    ) -> SendOutcome:
        try:
            return self._store.transact(work, wait_seconds=wait_seconds)
        except StoreFull:
            return refused("store-full")

    def _rung(self, outcome: SendOutcome, session_key: str, *, whole: bool) -> SendOutcome:
        if isinstance(outcome, Refused) or outcome.replayed:
            return outcome
        heard = self._doorbell.ring(session_key)
        if heard or outcome.state is not State.ACCEPTED:
            return with_row(outcome, None, whole=whole)
        return self._held_unheard(outcome, whole=whole)

    def _held_unheard(self, receipt: Receipt, *, whole: bool) -> Receipt:
        now = self._clock.now()
        row = self._store.transact(
            lambda tx: hold_unheard(tx, receipt.ref, now), wait_seconds=WRITE_WAIT_SECONDS
        )
        return with_row(receipt, row, whole=whole)


def _draft_fault(draft: Draft, *, ref: str, now: Instant) -> Refused | None:
    """Why the call itself is wrong, before anything is looked up (D20)."""
    guard = guard_fault(draft)
    if guard:
        return refused(guard)
    fault = usage_fault(replace(draft, ref=ref), envelope_of_draft(draft, ref=ref, now=now))
    return None if fault is None else refused(str(fault.token), detail=fault.detail)


def _asker_key(tx: StoreTransaction, original_ref: str) -> str:
    original = tx.message(original_ref)
    asker = asker_of(tx, original) if original is not None else None
    return asker.session_key if asker is not None else ""
