"""Handing off: one at a time, in order, once, and never past a fence (P3 to P9; D15 to D18)."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.post import DIALOG, Bench, accepted, endpoint_of
from tidings.adapters.memory.messages import MemoryMessageStore
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.interaction.freedom import AwaitsOperator, Free
from tidings.domain.interaction.prompts import PromptSeen
from tidings.domain.messages.delivery import State
from tidings.domain.messages.evidence import Evidence, note_prompts
from tidings.domain.messages.limits import MOST_UNPROVED, SECOND_NS
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outcomes import (
    Delivered,
    Held,
    LeaseLost,
    Nothing,
    Settled,
    StepOutcome,
)
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.send_outcome import Refused
from tidings.entrypoints.testing.message_rows import birth, marked
from tidings.ports.consent import MarkRead
from tidings.ports.errors import LockTimeout, StateUnwritable, StoreLocked
from tidings.ports.messages import MessageRow, StoreTransaction
from tidings.ports.tokens import LockKind, WriteResult

T = TypeVar("T")


@pytest.fixture
def bench() -> Bench:
    return Bench()


def step(bench: Bench) -> StepOutcome:
    return bench.dispatcher.step(bench.post)


def steps(bench: Bench) -> list[StepOutcome]:
    """Steps until nothing more can be done now."""
    outcomes: list[StepOutcome] = []
    while True:
        outcome = step(bench)
        outcomes.append(outcome)
        if not isinstance(outcome, Delivered | Settled):
            return outcomes


def show(bench: Bench, session_key: str, prompt: PromptSeen) -> None:
    """A session's hook tells of one prompt."""
    at_ns = bench.clock.now().wall_ns
    bench.store.transact(
        lambda tx: note_prompts(tx, session_key=session_key, prompts=[prompt], at_ns=at_ns),
        wait_seconds=0,
    )


def see(bench: Bench, ref: str) -> None:
    """The harness puts the frame of ``ref`` before its model."""
    digest = bench.row(ref).frame_sha256
    assert digest is not None
    show(bench, bench.api.session_key, PromptSeen(refs=(ref,), digests=(digest,)))


def test_nothing_waits(bench: Bench) -> None:
    assert step(bench) == Nothing()


@pytest.mark.case("R211")
def test_a_message_goes_out_once_with_its_mark_and_its_evidence(bench: Bench) -> None:
    receipt = bench.send("the API changed")
    assert steps(bench) == [Delivered(ref=receipt.ref), Nothing()]
    (frame,) = bench.transport.written
    assert frame.endpoint.session_id == "conversation-api"
    assert "| the API changed" in frame.content
    assert f'from="uds:/memory/{receipt.ref}.sock"' in frame.content
    row = bench.row(receipt.ref)
    assert (row.state, row.reason) == ("delivered", "provider-pipe-full-frame")
    assert (row.transport, row.writer_generation) == ("harness-socket", "generation-1")
    view = bench.office.view(receipt.ref)
    assert view.evidence is Evidence.WRITTEN
    assert [event.name for event in view.events] == ["accepted", "hand-off", "delivered"]
    see(bench, receipt.ref)
    assert bench.office.view(receipt.ref).evidence is Evidence.SEEN


def test_the_mark_is_durable_before_the_first_byte(bench: Bench) -> None:
    receipt = bench.send()
    seen: list[MessageRow] = []
    bench.transport.before_write = lambda: seen.append(bench.row(receipt.ref))
    assert step(bench) == Delivered(ref=receipt.ref)
    assert [row.state for row in seen] == ["accepted"]
    assert seen[0].handoff_at_ns is not None
    assert seen[0].frame_sha256 == bench.row(receipt.ref).frame_sha256


@pytest.mark.parametrize(
    ("result", "reason", "unknown"),
    [
        (WriteResult.ZERO, "provider-write-zero", False),
        (WriteResult.PARTIAL, "provider-write-partial", True),
        (WriteResult.UNKNOWN, "provider-handoff-outcome-unknown", True),
    ],
)
def test_a_write_that_went_wrong_is_told_as_it_was_and_never_repeated(
    bench: Bench, result: WriteResult, reason: str, unknown: bool
) -> None:
    receipt = bench.send()
    bench.transport.script(result)
    assert steps(bench) == [
        Settled(ref=receipt.ref, state=State.FAILED, reason=reason, outcome_unknown=unknown),
        Nothing(),
    ]
    view = bench.office.view(receipt.ref)
    assert view.exit_code == (8 if unknown else 1)
    assert bench.transport.writes_begun == 1


def test_a_harness_that_is_not_the_proved_one_gets_nothing(bench: Bench) -> None:
    receipt = bench.send()
    bench.transport.vanish(endpoint_of(bench.post).node.path)
    outcome = step(bench)
    assert isinstance(outcome, Settled)
    assert outcome.reason == "provider-prewrite-refused"
    assert bench.state(receipt.ref) == ("failed", "provider-prewrite-refused")
    assert bench.transport.writes_begun == 0


def held_rows() -> list[tuple[str, Callable[[Bench], None]]]:
    def dialog(bench: Bench) -> None:
        bench.freedom.now = DIALOG

    def spoilt(bench: Bench) -> None:
        bench.marks.spoil(bench.api.session_key)

    def hidden(bench: Bench) -> None:
        bench.kernel.become_unreadable(bench.api.owner.pid)

    def other_conversation(bench: Bench) -> None:
        endpoint = replace(endpoint_of(bench.post), session_id="before-clear")
        bench.post = replace(bench.post, conversation_id="before-clear", endpoint=endpoint)

    return [
        ("target-awaiting-operator", dialog),
        ("target-consent-unreadable", spoilt),
        ("target-consent-unreadable", hidden),
        ("target-not-ready", other_conversation),
    ]


@pytest.mark.parametrize(("reason", "cause"), held_rows())
def test_what_only_delays_holds_the_head_and_all_behind_it(
    bench: Bench, reason: str, cause: Callable[[Bench], None]
) -> None:
    first, second = bench.send(), bench.send()
    cause(bench)
    assert steps(bench) == [Held(ref=first.ref, reason=reason)]
    assert bench.state(first.ref) == ("held", reason)
    assert bench.state(second.ref) == ("held", "behind-earlier-message")
    assert bench.transport.writes_begun == 0


def ending_rows() -> list[tuple[str, str, Callable[[Bench], None]]]:
    def late(bench: Bench) -> None:
        bench.clock.advance(10)

    def disarmed(bench: Bench) -> None:
        bench.disarm(bench.api)

    def narrowed(bench: Bench) -> None:
        bench.arm(bench.api, ConsentScope(senders=("other",)))

    def cleared(bench: Bench) -> None:
        bench.put(replace(bench.api, conversation_id="after-clear"))

    def dead(bench: Bench) -> None:
        bench.kernel.exit(bench.api.owner.pid)

    def rearmed(bench: Bench) -> None:
        bench.disarm(bench.api)
        bench.arm(bench.api)

    return [
        ("expired", "deadline-expired", late),
        ("refused", "consent-withdrawn", disarmed),
        ("refused", "consent-withdrawn", narrowed),
        ("refused", "consent-withdrawn", rearmed),
        ("stale", "target-activation-stale", cleared),
        ("stale", "target-activation-stale", dead),
    ]


@pytest.mark.case("M144", "R259")
@pytest.mark.parametrize(("state", "reason", "cause"), ending_rows())
def test_what_ends_a_message_ends_it_without_a_byte(
    bench: Bench, state: str, reason: str, cause: Callable[[Bench], None]
) -> None:
    receipt = bench.send(ttl_ns=10 * SECOND_NS)
    cause(bench)
    outcome = step(bench)
    assert isinstance(outcome, Settled)
    assert (outcome.state, outcome.reason) == (state, reason)
    assert bench.state(receipt.ref) == (state, reason)
    assert bench.transport.writes_begun == 0


@pytest.mark.case("SX15")
def test_a_disarm_followed_by_an_arm_frees_nothing_old(bench: Bench) -> None:
    old = bench.send("old")
    bench.disarm(bench.api)
    bench.arm(bench.api)
    new = bench.send("new")
    outcomes = steps(bench)
    assert isinstance(outcomes[0], Settled)
    assert bench.state(old.ref) == ("refused", "consent-withdrawn")
    assert bench.state(new.ref)[0] == "delivered"
    assert bench.texts() == ["new"]


@pytest.mark.case("M142")
def test_held_messages_go_out_in_order_once_the_dialog_closes(bench: Bench) -> None:
    bench.freedom.now = DIALOG
    for number in range(4):
        bench.clock.jump_wall_ns(-SECOND_NS)
        bench.send(f"number {number}")
        step(bench)
    bench.freedom.now = Free(idle=None)
    assert [type(outcome) for outcome in steps(bench)] == [Delivered] * 4 + [Nothing]
    assert bench.texts() == [f"number {number}" for number in range(4)]


@pytest.mark.case("M134")
def test_a_later_message_never_overtakes_a_held_one(bench: Bench) -> None:
    bench.freedom.now = DIALOG
    first = bench.send("first")
    assert step(bench) == Held(ref=first.ref, reason="target-awaiting-operator")
    second = bench.send("second")
    step(bench)
    assert bench.state(second.ref) == ("held", "behind-earlier-message")
    bench.freedom.now = Free(idle=True)
    bench.send("third")
    assert step(bench) == Delivered(ref=first.ref)
    assert bench.state(second.ref) == ("held", "behind-earlier-message")
    steps(bench)
    assert bench.texts() == ["first", "second", "third"]


@pytest.mark.case("M145")
def test_a_mark_found_under_the_lock_is_an_unknown_outcome(bench: Bench) -> None:
    receipt = bench.send()
    row = bench.row(receipt.ref)
    torn = replace(
        row,
        transport="harness-socket",
        writer_generation="generation-0",
        handoff_at_ns=row.accepted_at_ns,
        frame_sha256=marked("m").frame_sha256,
    )
    bench.store.transact(lambda tx: tx.update_message(torn), wait_seconds=0)
    after = bench.send("next")
    outcomes = steps(bench)
    assert outcomes[0] == Settled(
        ref=receipt.ref,
        state=State.FAILED,
        reason="provider-handoff-outcome-unknown",
        outcome_unknown=True,
    )
    assert outcomes[1] == Delivered(ref=after.ref)
    assert bench.texts() == ["next"]


class TestFence:
    """Something changes between the mark and the write; every fence is asked three times."""

    @pytest.mark.parametrize("ask", [1, 2, 3])
    def test_a_dialog_that_opens_in_the_last_moment_holds(self, bench: Bench, ask: int) -> None:
        receipt = bench.send()

        def opens() -> None:
            bench.freedom.now = DIALOG

        bench.transport.before_ask[ask] = opens
        assert step(bench) == Held(ref=receipt.ref, reason="target-awaiting-operator")
        row = bench.row(receipt.ref)
        assert (row.state, row.handoff_at_ns, row.frame_sha256) == ("held", None, None)
        assert bench.transport.writes_begun == 0
        bench.freedom.now = Free(idle=True)
        assert step(bench) == Delivered(ref=receipt.ref)
        assert bench.transport.writes_begun == 1

    @pytest.mark.parametrize("ask", [1, 2, 3])
    def test_consent_withdrawn_in_the_last_moment_ends_it(self, bench: Bench, ask: int) -> None:
        receipt = bench.send()
        bench.transport.before_ask[ask] = lambda: self.withdraw(bench)
        outcome = step(bench)
        assert isinstance(outcome, Settled)
        assert bench.state(receipt.ref) == ("refused", "consent-withdrawn")
        assert bench.transport.writes_begun == 0

    def withdraw(self, bench: Bench) -> None:
        """The mark goes first; the barrier behind it (D8) would wait for this very write."""
        document = bench.marks.read(bench.api.session_key).main
        assert isinstance(document, MarkRead)
        off = {**document.document, "state": "off", "generation": 2}
        bench.marks.write(bench.api.session_key, off)

    @pytest.mark.case("M176")
    @pytest.mark.parametrize("ask", [1, 2, 3])
    def test_a_lost_lease_writes_zero_and_leaves_the_message(self, bench: Bench, ask: int) -> None:
        receipt = bench.send()
        bench.transport.before_ask[ask] = lambda: self.replace_resident(bench)
        assert step(bench) == LeaseLost()
        assert bench.transport.writes_begun == 0
        row = bench.row(receipt.ref)
        assert (row.state, row.handoff_at_ns) == ("accepted", None)
        assert step(bench) == LeaseLost()
        bench.post = replace(bench.post, generation="generation-2")
        assert step(bench) == Delivered(ref=receipt.ref)

    def replace_resident(self, bench: Bench) -> None:
        bench.take_post(bench.api, "generation-2", listens=False)
        endpoint = endpoint_of(bench.post)
        bench.transport.listen(endpoint.node, endpoint.owner)

    @pytest.mark.case("M120", "M177", "R217")
    def test_a_deadline_in_the_last_moment_expires(self, bench: Bench) -> None:
        receipt = bench.send(ttl_ns=5 * SECOND_NS)
        bench.transport.before_ask[3] = lambda: bench.clock.advance(5)
        outcome = step(bench)
        assert isinstance(outcome, Settled)
        assert bench.state(receipt.ref) == ("expired", "deadline-expired")
        assert bench.transport.writes_begun == 0


@pytest.mark.case("M176")
def test_a_replaced_resident_writes_zero_and_claims_zero(bench: Bench) -> None:
    receipt = bench.send()
    old = bench.post
    bench.post = bench.take_post(bench.api, "generation-2")
    before = bench.row(receipt.ref)
    assert bench.dispatcher.step(old) == LeaseLost()
    assert bench.row(receipt.ref) == before
    assert bench.transport.writes_begun == 0
    assert bench.new_dispatcher().step(bench.post) == Delivered(ref=receipt.ref)


@pytest.mark.case("M176")
@pytest.mark.parametrize("ask", [0, 1, 2, 3])
def test_another_process_in_the_same_conversation_gets_nothing_from_the_old_post(
    bench: Bench, ask: int
) -> None:
    bench.send()

    def resumed() -> None:
        bench.kernel.exit(bench.api.owner.pid)
        bench.put(replace(bench.api, owner=bench.kernel.spawn()))

    if ask:
        bench.transport.before_ask[ask] = resumed
    else:
        resumed()
    assert not isinstance(step(bench), Delivered)
    assert bench.transport.writes_begun == 0


def test_a_run_that_ended_is_no_post_any_more(bench: Bench) -> None:
    bench.send()
    bench.put(replace(bench.api, ended_at_ns=1, end_reason="gone"))
    assert step(bench) == LeaseLost()
    unknown = replace(bench.post, activation_id="nowhere")
    assert bench.dispatcher.step(unknown) == LeaseLost()


@pytest.mark.case("M72")
def test_the_delivery_lock_is_waited_for_and_never_broken(bench: Bench) -> None:
    bench.send("for api")
    bench.arm(bench.front)
    front = bench.take_post(bench.front, "generation-front")
    accepted(bench.office.send(bench.draft("for front", source=bench.api, target=bench.front)))
    with bench.locks.hold(LockKind.DELIVERY, bench.api.session_key, wait_seconds=0):
        with pytest.raises(LockTimeout) as caught:
            step(bench)
        assert caught.value.waited_seconds == 3
        assert bench.transport.writes_begun == 0
        assert isinstance(bench.dispatcher.step(front), Delivered)
        assert bench.locks.is_taken(LockKind.DELIVERY, bench.api.session_key)
    assert bench.texts() == ["for front"]
    assert isinstance(step(bench), Delivered)


def test_pacing_lets_ten_unproved_frames_out(bench: Bench) -> None:
    refs = [bench.send(f"number {number}").ref for number in range(MOST_UNPROVED + 2)]
    bench.freedom.now = Free(idle=False)
    outcomes = steps(bench)
    assert outcomes[-1] == Held(ref=refs[MOST_UNPROVED], reason="pacing")
    assert bench.transport.writes_begun == MOST_UNPROVED
    see(bench, refs[0])
    assert steps(bench)[-1] == Held(ref=refs[MOST_UNPROVED + 1], reason="pacing")
    assert bench.transport.writes_begun == MOST_UNPROVED + 1
    bench.clock.advance(599)
    assert isinstance(step(bench), Held)
    bench.clock.advance(1)
    assert steps(bench)[-1] == Nothing()
    assert bench.office.view(refs[1]).evidence is Evidence.UNSEEN


def test_a_session_that_stays_idle_after_the_write_did_not_see_it(bench: Bench) -> None:
    receipt = bench.send()
    steps(bench)

    def look(seconds: float, *, idle: bool) -> Evidence:
        bench.freedom.now = Free(idle=idle)
        bench.clock.advance(seconds)
        step(bench)
        return bench.office.view(receipt.ref).evidence

    assert look(29, idle=True) is Evidence.WRITTEN
    assert look(1, idle=False) is Evidence.WRITTEN
    assert look(1, idle=True) is Evidence.WRITTEN
    assert look(29, idle=True) is Evidence.WRITTEN
    assert look(1, idle=True) is Evidence.UNSEEN
    see(bench, receipt.ref)
    assert bench.office.view(receipt.ref).evidence is Evidence.SEEN


def test_a_prompt_without_our_frame_proves_nothing(bench: Bench) -> None:
    receipt = bench.send()
    steps(bench)
    forged = PromptSeen(refs=(receipt.ref,), digests=("0" * 64,))
    for key in (bench.api.session_key, bench.front.session_key, "9-00000000"):
        show(bench, key, forged)
    digest = bench.row(receipt.ref).frame_sha256
    assert digest is not None
    show(bench, bench.front.session_key, PromptSeen(refs=(receipt.ref,), digests=(digest,)))
    assert bench.row(receipt.ref).seen_at_ns is None
    see(bench, receipt.ref)
    assert bench.row(receipt.ref).seen_at_ns == bench.clock.now().wall_ns


class StoreThatFailsAfterTheWrite(MemoryMessageStore):
    """Every transaction fails once ``broken`` is set."""

    def transact(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float) -> T:
        if wait_seconds > 10:
            raise StateUnwritable("the disk is full")
        return MemoryMessageStore.transact(self, work, wait_seconds=wait_seconds)


@pytest.mark.case("R216")
@pytest.mark.parametrize(
    ("result", "reason", "unknown"),
    [
        (WriteResult.FULL, "broker-delivery-persist-failed", True),
        (WriteResult.ZERO, "provider-write-zero", False),
        (WriteResult.PARTIAL, "provider-write-partial", True),
    ],
)
def test_an_outcome_that_cannot_be_recorded_is_told_all_the_same(
    result: WriteResult, reason: str, unknown: bool
) -> None:
    bench = Bench(store=StoreThatFailsAfterTheWrite())
    receipt = bench.send()
    bench.transport.script(result)
    assert step(bench) == Settled(
        ref=receipt.ref, state=State.FAILED, reason=reason, outcome_unknown=unknown
    )
    assert bench.row(receipt.ref).handoff_at_ns is not None
    assert bench.office.view(receipt.ref).state == "accepted"
    bench.clock.advance(7200)
    view = bench.office.view(receipt.ref)
    assert (view.state, view.row.reason, view.exit_code) == (
        "failed",
        "provider-handoff-outcome-unknown",
        8,
    )


def test_a_disarm_waits_for_the_write_that_is_under_way(bench: Bench) -> None:
    receipt = bench.send()
    later = bench.send("later")
    begun, outcomes = threading.Event(), list[StepOutcome]()
    stalled = bench.transport.stall()
    bench.transport.before_ask[3] = begun.set
    writer = threading.Thread(target=lambda: outcomes.append(step(bench)))
    writer.start()
    assert begun.wait(timeout=10)
    disarmer = threading.Thread(target=bench.disarm, args=[bench.api])
    disarmer.start()
    disarmer.join(timeout=0.05)
    assert disarmer.is_alive()
    stalled.set()
    for thread in (writer, disarmer):
        thread.join(timeout=10)
    written = bench.transport.writes_begun
    assert written <= 1
    assert len(outcomes) == 1
    steps(bench)
    assert bench.transport.writes_begun == written
    assert bench.state(receipt.ref)[0] in ("delivered", "refused")
    assert bench.state(later.ref) == ("refused", "consent-withdrawn")


@pytest.mark.case("F31")
def test_four_writers_at_once_write_each_message_once_and_in_order(bench: Bench) -> None:
    texts = [f"{number:02d}" for number in range(MOST_UNPROVED)]
    for text in texts:
        bench.send(text)

    def work() -> None:
        dispatcher = bench.new_dispatcher()
        while not isinstance(dispatcher.step(bench.post), Nothing | Held):
            pass

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert bench.texts() == texts
    assert bench.transport.writes_begun == len(texts)


class StoreThatTakesNoMark(MemoryMessageStore):
    """Locked for whoever waits two seconds or less, once armed."""

    closed = False

    def transact(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float) -> T:
        if StoreThatTakesNoMark.closed:
            raise StoreLocked("locked")
        return MemoryMessageStore.transact(self, work, wait_seconds=wait_seconds)


def test_without_a_durable_mark_nothing_is_written() -> None:
    bench = Bench(store=StoreThatTakesNoMark())
    receipt = bench.send()
    StoreThatTakesNoMark.closed = True
    try:
        with pytest.raises(StoreLocked):
            step(bench)
    finally:
        StoreThatTakesNoMark.closed = False
    assert bench.transport.writes_begun == 0
    assert step(bench) == Delivered(ref=receipt.ref)


class TestNotices:
    def notice(self, bench: Bench, text: str) -> str:
        return bench.send(text, kind=MessageKind.NOTICE).ref

    def test_a_notice_waits_for_the_next_message_and_blocks_nobody(self, bench: Bench) -> None:
        first = self.notice(bench, "notice 1")
        assert step(bench) == Held(ref=first, reason="awaiting-turn")
        bench.send("message")
        self.notice(bench, "notice 2")
        steps(bench)
        assert bench.texts() == ["notice 1", "message"]

    def test_a_held_message_holds_its_notices(self, bench: Bench) -> None:
        first = self.notice(bench, "notice")
        message = bench.send("message")
        bench.freedom.now = DIALOG
        assert step(bench) == Held(ref=message.ref, reason="target-awaiting-operator")
        assert bench.state(first) == ("held", "awaiting-turn")

    def test_a_notice_expires_like_anything_else(self, bench: Bench) -> None:
        first = bench.send("notice", kind=MessageKind.NOTICE, ttl_ns=SECOND_NS).ref
        bench.clock.advance(1)
        assert isinstance(step(bench), Settled)
        assert bench.state(first) == ("expired", "deadline-expired")


def closing_changes() -> list[Callable[[Bench], None]]:
    """What makes it useless to answer front's question to api."""

    def disarmed(bench: Bench) -> None:
        bench.arm(bench.front)
        bench.disarm(bench.front)

    def unreadable(bench: Bench) -> None:
        bench.marks.spoil(bench.front.session_key)

    def dead(bench: Bench) -> None:
        bench.kernel.exit(bench.front.owner.pid)

    def ended(bench: Bench) -> None:
        bench.put(replace(bench.front, ended_at_ns=1))

    def asker_cleared(bench: Bench) -> None:
        bench.put(replace(bench.front, conversation_id="after-clear"))

    def replier_cleared(bench: Bench) -> None:
        bench.put(replace(bench.api, conversation_id="after-clear"))

    return [disarmed, unreadable, dead, ended, asker_cleared, replier_cleared]


class TestAnswerSockets:
    def test_they_open_with_the_frame_and_close_with_the_message(self, bench: Bench) -> None:
        receipt = bench.send(ttl_ns=60 * SECOND_NS)
        assert bench.dispatcher.tend_answers(bench.api.activation_id).count == 0
        step(bench)
        address = f"uds:/memory/{receipt.ref}.sock"
        assert bench.sockets.arrive(address, "yes", peer=birth(1))
        assert bench.dispatcher.tend_answers(bench.api.activation_id).count == 1
        bench.clock.advance(60)
        assert bench.dispatcher.tend_answers(bench.api.activation_id).count == 0
        assert not bench.sockets.arrive(address, "late", peer=birth(1))

    @pytest.mark.parametrize("change", closing_changes(), ids=lambda change: str(change.__name__))
    def test_none_stands_open_at_which_no_answer_would_be_taken(
        self, bench: Bench, change: Callable[[Bench], None]
    ) -> None:
        receipt = bench.send()
        step(bench)
        assert bench.dispatcher.tend_answers(bench.api.activation_id).count == 1
        change(bench)
        assert bench.dispatcher.tend_answers(bench.api.activation_id).count == 0
        address = f"uds:/memory/{receipt.ref}.sock"
        assert not bench.sockets.arrive(address, "too late", peer=birth(1))

    def test_one_that_was_closed_for_a_no_opens_after_a_yes(self, bench: Bench) -> None:
        bench.send()
        step(bench)
        bench.arm(bench.front)
        bench.disarm(bench.front)
        assert bench.dispatcher.tend_answers(bench.api.activation_id).count == 0
        bench.arm(bench.front)
        assert bench.dispatcher.tend_answers(bench.api.activation_id).count == 1

    def test_it_says_when_the_first_one_is_over(self, bench: Bench) -> None:
        for seconds in (60, 40):
            bench.send(ttl_ns=seconds * SECOND_NS)
        steps(bench)
        bench.clock.advance(10)
        assert bench.dispatcher.tend_answers(bench.api.activation_id).seconds == 30

    @pytest.mark.case("M197")
    def test_a_successor_opens_them_again_and_takes_one_answer(self, bench: Bench) -> None:
        receipt = bench.send()
        step(bench)
        bench.sockets.close_all()
        successor = bench.new_dispatcher()
        assert successor.tend_answers(bench.api.activation_id).count == 1
        address = f"uds:/memory/{receipt.ref}.sock"
        assert bench.sockets.arrive(address, "yes", peer=birth(1))
        accepted(
            bench.office.answer(receipt.ref, "yes", replier=bench.api, proof=Proof.KERNEL_PEER)
        )
        again = bench.office.answer(receipt.ref, "no", replier=bench.api, proof=Proof.KERNEL_PEER)
        assert isinstance(again, Refused)
        assert (again.reason, again.detail) == (
            "reply-already-committed",
            "state=held reason=target-not-ready",
        )
        assert successor.tend_answers(bench.api.activation_id).count == 0

    def test_a_failed_write_leaves_no_socket(self, bench: Bench) -> None:
        receipt = bench.send()
        bench.transport.script(WriteResult.ZERO)
        step(bench)
        address = f"uds:/memory/{receipt.ref}.sock"
        assert not bench.sockets.arrive(address, "yes", peer=birth(1))

    def test_a_push_gets_none(self, bench: Bench) -> None:
        bench.send(kind=MessageKind.PUSH)
        step(bench)
        assert bench.dispatcher.tend_answers(bench.api.activation_id).count == 0
        assert "uds:" not in bench.transport.written[0].content


@pytest.mark.case("M112", "R222")
def test_a_long_text_goes_out_as_its_head(bench: Bench) -> None:
    receipt = bench.send("ä" * 30_000)
    assert not receipt.whole
    assert step(bench) == Delivered(ref=receipt.ref)
    (frame,) = bench.transport.written
    assert bench.transport.size(frame.content) <= 8192
    assert f"tidings show {receipt.ref}" in frame.content
    assert "| " + "ä" * 1_000 in frame.content


def test_a_budget_that_fits_nothing_fails_with_its_numbers(bench: Bench) -> None:
    receipt = bench.send()
    bench.post = replace(bench.post, budget_bytes=100)
    outcome = step(bench)
    assert isinstance(outcome, Settled)
    assert outcome.reason.startswith("provider-frame-too-large: frameBytes=")
    assert outcome.reason.endswith(" limitBytes=100")
    assert bench.office.view(receipt.ref).exit_code == 1
    assert bench.transport.writes_begun == 0


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["send", "step", "dialog", "free", "zero", "partial", "disarm", "arm", "wait", "see"]
        ),
        max_size=25,
    )
)
def test_order_and_at_most_one_write_hold_in_any_history(history: list[str]) -> None:
    bench, sent, armed = Bench(), list[str](), True
    for number, act in enumerate(history):
        match act:
            case "send":
                outcome = bench.office.send(bench.draft(f"{number:03d}"))
                sent += [f"{number:03d}"] if armed else []
                assert (getattr(outcome, "ref", None) is not None) is armed
            case "step":
                before = bench.transport.writes_begun
                free = not isinstance(bench.freedom.now, AwaitsOperator)
                bench.dispatcher.step(bench.post)
                written = bench.transport.writes_begun - before
                assert written <= 1
                assert written == 0 or (free and armed)
            case "dialog":
                bench.freedom.now = DIALOG
            case "free":
                bench.freedom.now = Free(idle=True)
            case "zero":
                bench.transport.script(WriteResult.ZERO)
            case "partial":
                bench.transport.script(WriteResult.PARTIAL)
            case "disarm":
                bench.disarm(bench.api)
                armed = False
            case "arm":
                bench.arm(bench.api)
                armed = True
            case _:
                bench.clock.advance(400)
    texts = bench.texts()
    assert texts == sorted(texts)
    assert len(set(texts)) == len(texts)
    assert set(texts) <= set(sent)
    rows = bench.store.view(lambda tx: tx.recent(after_seq=0, limit=100))
    assert len(rows) == len(sent)
    delivered = [row.envelope["payload"] for row in rows if row.state == "delivered"]
    assert delivered == texts
