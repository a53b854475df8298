"""Acceptance: the order of its checks, retries, holds, answers, and ends (D6, D15, D20; M 6)."""

import threading
from dataclasses import replace

import pytest

from support.post import DIALOG, Bench, accepted
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.messages.evidence import Evidence
from tidings.domain.messages.limits import LONGEST_PAYLOAD_BYTES, LONGEST_TTL_NS, SECOND_NS
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outcomes import Delivered, Settled
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.send_outcome import Refused, SendOutcome
from tidings.entrypoints.testing.message_rows import marked
from tidings.ports.errors import Ambiguous, NotFound, StoreLocked
from tidings.ports.messages import MessageRow
from tidings.ports.tokens import Provider, WriteResult


@pytest.fixture
def bench() -> Bench:
    return Bench()


def refusal(outcome: SendOutcome) -> tuple[str, int]:
    assert isinstance(outcome, Refused), outcome
    assert outcome.text
    assert outcome.next_step
    return outcome.reason, outcome.exit_code


def stored(bench: Bench) -> int:
    return len(bench.store.view(lambda tx: tx.recent(after_seq=0, limit=100)))


def test_a_message_is_accepted_and_rings(bench: Bench) -> None:
    bell = bench.bells.listen(bench.api.session_key)
    receipt = bench.send()
    assert (receipt.state, receipt.reason, receipt.exit_code) == ("accepted", "", 0)
    assert receipt.ref.startswith(receipt.short)
    assert len(receipt.short) == 5
    assert receipt.evidence is Evidence.NONE
    assert receipt.whole
    assert bell.drain()
    assert bench.row(receipt.ref).consent_generation == 1
    assert bench.transport.writes_begun == 0


def test_usage_is_checked_before_anything_else(bench: Bench) -> None:
    bench.disarm(bench.api)
    for draft, reason in [
        (bench.draft("  \n "), "envelope-payload-invalid"),
        (bench.draft("a\0b"), "envelope-payload-invalid"),
        (bench.draft("x" * (LONGEST_PAYLOAD_BYTES + 1)), "envelope-payload-too-large"),
        (bench.draft(ttl_ns=0), "envelope-qualification-invalid"),
        (bench.draft(ttl_ns=LONGEST_TTL_NS + 1), "envelope-qualification-invalid"),
        (bench.draft(ref="a b"), "envelope-correlation-invalid"),
    ]:
        assert refusal(bench.office.send(draft)) == (reason, 2)
    assert stored(bench) == 0


@pytest.mark.case("SP25", "R221", "R222")
@pytest.mark.parametrize("kind", [MessageKind.AGENT, MessageKind.PUSH])
def test_64_kib_are_stored_whole_and_one_byte_more_is_refused(
    bench: Bench, kind: MessageKind
) -> None:
    text = "\u00e9" * (LONGEST_PAYLOAD_BYTES // 2)
    assert len(text.encode()) == 65_536
    receipt = bench.send(text, kind=kind)
    assert bench.office.view(receipt.ref).envelope.payload == text
    outcome = bench.office.send(bench.draft(text + "x", kind=kind))
    assert refusal(outcome) == ("envelope-payload-too-large", 2)
    assert stored(bench) == 1


@pytest.mark.case("F36")
def test_guards_stop_self_sends_and_pushes_of_agents(bench: Bench) -> None:
    own = bench.draft(source=bench.api)
    assert refusal(bench.office.send(own)) == ("self-send", 5)
    accepted(bench.office.send(replace(own, allow_self=True)))
    pushed = replace(bench.draft(), kind=MessageKind.PUSH, client="pts/3")
    assert refusal(bench.office.send(pushed)) == ("push-from-agent", 5)


def test_a_target_that_ended_is_refused_before_consent(bench: Bench) -> None:
    bench.disarm(bench.api)
    bench.put(replace(bench.api, ended_at_ns=1, end_reason="gone"))
    assert refusal(bench.office.send(bench.draft())) == ("target-not-running", 9)


def test_without_consent_nothing_is_stored(bench: Bench) -> None:
    bench.disarm(bench.api)
    assert refusal(bench.office.send(bench.draft())) == ("target-not-armed", 5)
    bench.arm(bench.api, ConsentScope(senders=("other",)))
    assert refusal(bench.office.send(bench.draft())) == ("target-not-armed", 5)
    bench.arm(bench.api, ConsentScope(kinds=("push",)))
    assert refusal(bench.office.send(bench.draft())) == ("target-not-armed", 5)
    bench.marks.spoil(bench.api.session_key)
    assert refusal(bench.office.send(bench.draft())) == ("consent-unreadable", 7)
    assert stored(bench) == 0


def test_a_scope_may_name_the_person_or_an_agent(bench: Bench) -> None:
    bench.arm(bench.api, ConsentScope(senders=("you",)))
    accepted(bench.office.send(bench.draft(kind=MessageKind.PUSH)))
    assert refusal(bench.office.send(bench.draft(kind=MessageKind.AUTOMATION)))[0] == (
        "target-not-armed"
    )
    bench.arm(bench.api, ConsentScope(senders=("agent:agent-front",)))
    accepted(bench.office.send(bench.draft()))


@pytest.mark.parametrize(
    ("proof", "sender", "other"),
    [(Proof.TERMINAL, "you", "automation"), (Proof.NONE, "automation", "you")],
)
def test_a_notice_comes_from_the_person_where_it_was_typed_else_from_a_script(
    bench: Bench, proof: Proof, sender: str, other: str
) -> None:
    notice = replace(bench.draft(kind=MessageKind.NOTICE), proof=proof)
    bench.arm(bench.api, ConsentScope(senders=(other,)))
    assert refusal(bench.office.send(notice)) == ("target-not-armed", 5)
    bench.arm(bench.api, ConsentScope(senders=(sender,)))
    accepted(bench.office.send(notice))
    bench.arm(bench.api, ConsentScope(senders=(sender,), kinds=("push", "automation")))
    assert refusal(bench.office.send(notice)) == ("target-not-armed", 5)


def test_an_agents_notice_comes_from_that_agent(bench: Bench) -> None:
    notice = bench.draft(kind=MessageKind.NOTICE, source=bench.front)
    bench.arm(bench.api, ConsentScope(senders=("you", "automation")))
    assert refusal(bench.office.send(notice)) == ("target-not-armed", 5)
    bench.arm(bench.api, ConsentScope(senders=("agent:agent-front",), kinds=("notice",)))
    accepted(bench.office.send(notice))
    assert refusal(bench.office.send(bench.draft())) == ("target-not-armed", 5)


@pytest.mark.case("M47", "M105")
def test_the_same_ref_is_answered_from_the_store_and_rings_nobody(bench: Bench) -> None:
    first = bench.send(ref="pr-412")
    before = bench.row(first.ref)
    bell = bench.bells.listen(bench.api.session_key)
    bench.clock.advance(60)
    bench.disarm(bench.api)
    again = accepted(bench.office.send(bench.draft(ref="pr-412")))
    assert again == replace(first, replayed=True)
    assert bench.row(first.ref) == before
    assert not bell.drain()
    assert stored(bench) == 1


def test_the_same_ref_with_another_message_names_the_earlier_one(bench: Bench) -> None:
    bench.send(ref="pr-412")
    for other in (
        bench.draft("another text", ref="pr-412"),
        bench.draft(ref="pr-412", ttl_ns=5 * SECOND_NS),
        bench.draft(ref="pr-412", source=bench.run("other")),
    ):
        outcome = bench.office.send(other)
        assert refusal(outcome) == ("ref-envelope-mismatch", 1)
        assert isinstance(outcome, Refused)
        assert outcome.earlier_ref == "pr-412"
        assert outcome.detail == "state=accepted reason="
    assert stored(bench) == 1


@pytest.mark.case("M105")
def test_sixty_four_senders_of_one_ref_make_one_message(bench: Bench) -> None:
    outcomes: list[SendOutcome] = []
    threads = [
        threading.Thread(target=lambda: outcomes.append(bench.office.send(bench.draft(ref="one"))))
        for _ in range(64)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    receipts = [accepted(outcome) for outcome in outcomes]
    assert len(receipts) == 64
    assert sum(not receipt.replayed for receipt in receipts) == 1
    assert stored(bench) == 1
    conversations = {bench.row(receipt.ref).conversation_ref for receipt in receipts}
    assert len(conversations) == 1


def test_where_nobody_can_deliver_it_is_held_at_once(bench: Bench) -> None:
    lonely = bench.run("lonely")
    bench.arm(lonely)
    receipt = bench.send(target=lonely)
    assert (receipt.state, receipt.reason, receipt.exit_code) == ("held", "target-not-ready", 0)
    puller = bench.run("mux", provider=Provider.PROCESS)
    bench.arm(puller)
    assert bench.send(target=puller).reason == "awaiting-pull"


def test_a_bell_that_nobody_hears_means_held(bench: Bench) -> None:
    deaf = bench.run("deaf")
    bench.arm(deaf)
    bench.take_post(deaf, listens=False)
    receipt = bench.send(target=deaf)
    assert (receipt.state, receipt.reason) == ("held", "target-not-ready")
    assert bench.state(receipt.ref) == ("held", "target-not-ready")


def test_a_locked_store_says_so_and_stores_nothing(bench: Bench) -> None:
    def nested(_: object) -> None:
        bench.office.send(bench.draft())

    with pytest.raises(StoreLocked):
        bench.store.transact(nested, wait_seconds=0)
    assert stored(bench) == 0


@pytest.mark.case("M77")
def test_a_view_computes_deadlines_and_changes_no_row(bench: Bench) -> None:
    receipt = bench.send(ttl_ns=10 * SECOND_NS)
    before = bench.row(receipt.ref)
    bench.clock.advance_ns(10 * SECOND_NS - 1)
    assert bench.office.view(receipt.short).state == "accepted"
    bench.clock.advance_ns(1)
    view = bench.office.view(receipt.short)
    assert (view.state, view.row.reason, view.exit_code) == ("expired", "deadline-expired", 1)
    assert view.text
    assert view.next_step
    assert [event.name for event in view.events] == ["accepted"]
    assert bench.row(receipt.ref) == before


@pytest.mark.case("M77")
def test_settling_leaves_what_has_a_nanosecond_left(bench: Bench) -> None:
    receipt = bench.send(ttl_ns=10 * SECOND_NS)
    before = bench.row(receipt.ref)
    bench.clock.advance_ns(10 * SECOND_NS - 1)
    assert bench.office.settle_due("agent-api") == ()
    assert bench.row(receipt.ref) == before
    bench.clock.advance_ns(1)
    assert bench.office.settle_due("agent-api") == (receipt.ref,)
    assert bench.state(receipt.ref) == ("expired", "deadline-expired")


@pytest.mark.case("M75")
def test_the_next_acceptance_settles_what_is_due_at_the_present_time(bench: Bench) -> None:
    held = bench.send(ttl_ns=10 * SECOND_NS)
    bench.freedom.now = DIALOG
    bench.dispatcher.step(bench.post)
    accepted_only = bench.send(ttl_ns=10 * SECOND_NS)
    assert (bench.state(held.ref)[0], bench.state(accepted_only.ref)[0]) == ("held", "accepted")
    bench.clock.advance(60)
    kept = bench.send()
    for ref in (held.ref, accepted_only.ref):
        row = bench.row(ref)
        assert (row.state, row.reason) == ("expired", "deadline-expired")
        assert row.terminal_at_ns == bench.clock.now().wall_ns
    assert bench.state(kept.ref)[0] == "accepted"
    assert list(bench.store.view(lambda tx: tx.history_after(0, limit=9))) == []


def test_a_view_needs_a_name_that_is_there_and_alone(bench: Bench) -> None:
    bench.send(ref="mabcde-1")
    bench.send(ref="mabcde-2")
    with pytest.raises(NotFound):
        bench.office.view("nowhere")
    with pytest.raises(NotFound):
        bench.office.view("mab")
    with pytest.raises(Ambiguous):
        bench.office.view("mabcd")
    assert bench.office.view("mabcde-2").row.ref == "mabcde-2"


def test_what_is_due_is_settled_at_the_present_time(bench: Bench) -> None:
    short = bench.send(ttl_ns=10 * SECOND_NS)
    long = bench.send(ttl_ns=11 * SECOND_NS)
    assert bench.office.settle_due("agent-api") == ()
    bench.clock.advance(10)
    assert bench.office.settle_due("agent-api") == (short.ref,)
    row = bench.row(short.ref)
    assert (row.state, row.reason) == ("expired", "deadline-expired")
    assert row.terminal_at_ns == bench.clock.now().wall_ns
    assert bench.state(long.ref) == ("accepted", "")
    events = bench.office.view(short.ref).events
    assert [event.name for event in events] == ["accepted", "expired"]


def test_deadlines_survive_clock_jumps_suspend_and_reboot(bench: Bench) -> None:
    receipt = bench.send(ttl_ns=100 * SECOND_NS)
    bench.clock.jump_wall_ns(3600 * SECOND_NS)
    assert bench.office.view(receipt.ref).state == "accepted"
    bench.clock.jump_wall_ns(-7200 * SECOND_NS)
    assert bench.office.view(receipt.ref).state == "accepted"
    bench.clock.suspend_ns(100 * SECOND_NS)
    assert bench.office.view(receipt.ref).state == "expired"
    bench.clock.jump_wall_ns(3600 * SECOND_NS - 1)
    bench.clock.reboot("boot-2")
    assert bench.office.view(receipt.ref).state == "accepted"


def test_a_message_to_a_run_that_ended_is_stale(bench: Bench) -> None:
    receipt = bench.send()
    bench.put(replace(bench.api, ended_at_ns=1, end_reason="gone"))
    assert bench.office.settle_due("agent-api") == (receipt.ref,)
    assert bench.state(receipt.ref) == ("stale", "target-activation-stale")


def test_withdrawn_consent_ends_what_waits(bench: Bench) -> None:
    first, second = bench.send(), bench.send()
    assert bench.office.withdraw("agent-api") == ()
    bench.disarm(bench.api)
    bench.arm(bench.api)
    assert bench.office.withdraw("agent-api") == (first.ref, second.ref)
    assert bench.state(first.ref) == ("refused", "consent-withdrawn")
    kept = bench.send()
    bench.marks.spoil(bench.api.session_key)
    assert bench.office.withdraw("agent-api") == ()
    assert bench.state(kept.ref)[0] == "accepted"


def test_a_sender_may_cancel_what_is_his_and_still_waits(bench: Bench) -> None:
    receipt = bench.send()
    foreign = bench.office.cancel(receipt.ref, source_agent="agent-other")
    assert refusal(foreign) == ("source-not-yours", 5)
    assert refusal(bench.office.cancel("nowhere", source_agent=None))[1] == 3
    cancelled = accepted(bench.office.cancel(receipt.ref, source_agent="agent-front"))
    assert (cancelled.state, cancelled.reason) == ("refused", "cancelled-by-sender")
    gone = bench.send()
    assert isinstance(bench.dispatcher.step(bench.post), Delivered)
    kept = accepted(bench.office.cancel(gone.ref, source_agent="agent-front"))
    assert kept.state == "delivered"


class TestAnswers:
    @pytest.fixture
    def asked(self, bench: Bench) -> str:
        receipt = bench.send("does /v2 work?", ttl_ns=600 * SECOND_NS)
        assert isinstance(bench.dispatcher.step(bench.post), Delivered)
        return receipt.ref

    def answer(
        self, bench: Bench, asked: str, text: str = "it does", *, ref: str | None = None
    ) -> SendOutcome:
        return bench.office.answer(
            asked, text, replier=bench.api, proof=Proof.KERNEL_PEER, place="shop:main", ref=ref
        )

    def test_an_answer_goes_back_and_marks_its_original(self, bench: Bench, asked: str) -> None:
        bench.clock.advance(100)
        receipt = accepted(self.answer(bench, asked))
        row, original = bench.row(receipt.ref), bench.row(asked)
        assert row.reply_to == asked
        assert row.conversation_ref == original.conversation_ref
        assert (row.source_agent, row.target_agent) == ("agent-api", "agent-front")
        assert row.ttl_ns == 500 * SECOND_NS
        assert row.consent_generation is None
        assert original.answer_ref == receipt.ref
        assert bench.office.view(asked).evidence is Evidence.ANSWERED

    def test_what_was_not_taken_is_told_with_the_original_once_for_each_reason(
        self, bench: Bench, asked: str
    ) -> None:
        for reason in ("answer-unproved", "answer-too-large", "answer-unproved"):
            bench.office.note_refused_answer(asked, reason)
        bench.office.note_refused_answer("m-nobody-knows", "answer-unproved")
        told = [(one.name, one.reason) for one in bench.office.view(asked).events[-2:]]
        assert told == [
            ("answer-refused", "answer-unproved"),
            ("answer-refused", "answer-too-large"),
        ]
        assert bench.office.view(asked).evidence is Evidence.WRITTEN

    def test_who_awaits_an_answer_is_known_until_it_is_there(
        self, bench: Bench, asked: str
    ) -> None:
        assert bench.office.asked_sessions("agent-front") == {bench.api.session_key}
        assert bench.office.asked_sessions("agent-api") == frozenset()
        accepted(self.answer(bench, asked))
        assert bench.office.asked_sessions("agent-front") == frozenset()

    def test_asking_is_agreeing_to_hear_but_a_no_stays_a_no(self, bench: Bench, asked: str) -> None:
        bench.arm(bench.front)
        bench.disarm(bench.front)
        assert refusal(self.answer(bench, asked)) == ("target-not-armed", 5)
        bench.marks.spoil(bench.front.session_key)
        assert refusal(self.answer(bench, asked)) == ("consent-unreadable", 7)
        bench.marks.remove(bench.front.session_key)
        accepted(self.answer(bench, asked))

    @pytest.mark.case("M192")
    def test_one_answer_is_all(self, bench: Bench, asked: str) -> None:
        outcomes: list[SendOutcome] = []

        def work() -> None:
            outcomes.append(
                bench.office.answer(
                    asked, "yes", replier=bench.api, proof=Proof.ANCESTRY, wait_seconds=20
                )
            )

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=30)
        refusals = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
        assert len(outcomes) == 8
        assert [one.reason for one in refusals] == ["reply-already-committed"] * 7
        assert {one.earlier_ref for one in refusals} == {bench.row(asked).answer_ref}
        assert stored(bench) == 2

    @pytest.mark.case("M190")
    @pytest.mark.parametrize(
        ("state", "reason", "unknown"),
        [
            ("accepted", "", False),
            ("held", "pacing", False),
            ("delivered", "provider-pipe-full-frame", False),
            ("failed", "provider-write-partial", True),
            ("failed", "provider-write-partial", False),
            ("failed", "provider-handoff-outcome-unknown", True),
            ("failed", "provider-write-zero", True),
            ("failed", "never-heard-of", False),
            ("failed", "provider-frame-too-large: frameBytes=1 limitBytes=8192", False),
            ("refused", "never-heard-of", False),
            ("expired", "deadline-expired", False),
            ("stale", "target-activation-stale", False),
        ],
    )
    def test_a_fresh_answer_after_any_of_these_is_refused_with_the_earlier_one_and_its_cause(
        self, bench: Bench, asked: str, state: str, reason: str, unknown: bool
    ) -> None:
        first = accepted(self.answer(bench, asked))
        is_open = state in ("accepted", "held")
        before = replace(
            marked(first.ref),
            **{
                name: getattr(bench.row(first.ref), name)
                for name in MessageRow.__dataclass_fields__
                if name not in ("transport", "writer_generation", "handoff_at_ns", "frame_sha256")
            }
            | {
                "state": state,
                "reason": reason,
                "outcome_unknown": unknown,
                "terminal_at_ns": None if is_open else bench.clock.now().wall_ns,
            },
        )
        if is_open:
            before = replace(bench.row(first.ref), state=state, reason=reason)
        bench.store.transact(lambda tx: tx.update_message(before), wait_seconds=0)
        outcome = self.answer(bench, asked, "once more")
        assert refusal(outcome)[0] == "reply-already-committed"
        assert isinstance(outcome, Refused)
        assert outcome.earlier_ref == first.ref
        assert outcome.detail == f"state={state} reason={reason}"
        assert bench.row(first.ref) == before
        assert stored(bench) == 2

    @pytest.mark.case("R307")
    @pytest.mark.parametrize(
        ("result", "again"),
        [
            (WriteResult.ZERO, True),
            (WriteResult.PARTIAL, False),
            (WriteResult.UNKNOWN, False),
            (WriteResult.FULL, False),
        ],
    )
    def test_only_a_known_zero_leaves_the_lane_open(
        self, bench: Bench, asked: str, result: WriteResult, again: bool
    ) -> None:
        front = bench.take_post(bench.front, "generation-front")
        first = accepted(self.answer(bench, asked))
        assert refusal(self.answer(bench, asked, "again"))[0] == "reply-already-committed"
        bench.transport.script(result)
        bench.dispatcher.step(front)
        before = bench.row(first.ref)
        outcome = self.answer(bench, asked, "once more")
        assert isinstance(outcome, Refused) is not again
        assert not isinstance(outcome, Refused) or outcome.earlier_ref == first.ref
        assert bench.row(first.ref) == before

    @pytest.mark.case("M187", "R305", "R306")
    def test_only_a_delivered_living_original_is_answered(self, bench: Bench, asked: str) -> None:
        waiting = bench.send("and this?")
        before = stored(bench)
        assert refusal(self.answer(bench, waiting.ref))[0] == "reply-original-not-delivered"
        assert refusal(self.answer(bench, "nowhere")) == ("reply-original-not-found", 3)
        bench.transport.script(WriteResult.ZERO)
        assert isinstance(bench.dispatcher.step(bench.post), Settled)
        assert bench.row(waiting.ref).state == "failed"
        assert refusal(self.answer(bench, waiting.ref))[0] == "reply-original-not-delivered"
        bench.clock.advance(600)
        assert refusal(self.answer(bench, asked))[0] == "explicit-reply-deadline-expired"
        assert stored(bench) == before

    def test_nobody_can_be_answered_who_is_no_agent(self, bench: Bench) -> None:
        for kind, reason in [
            (MessageKind.OPERATOR, "explicit-reply-operator-origin"),
            (MessageKind.PUSH, "explicit-reply-no-source"),
            (MessageKind.AUTOMATION, "explicit-reply-no-source"),
        ]:
            receipt = bench.send(kind=kind)
            assert isinstance(bench.dispatcher.step(bench.post), Delivered)
            before = stored(bench)
            assert refusal(self.answer(bench, receipt.ref))[0] == reason
            assert stored(bench) == before

    @pytest.mark.case("R301")
    def test_only_the_asked_agent_answers(self, bench: Bench, asked: str) -> None:
        other, foreign = bench.run("other"), bench.run("api", provider=Provider.CODEX)
        before = stored(bench)
        for replier in (other, foreign):
            outcome = bench.office.answer(asked, "me!", replier=replier, proof=Proof.ANCESTRY)
            assert refusal(outcome)[0] == "invalid-explicit-reply-correlation"
        assert stored(bench) == before

    @pytest.mark.case("R300")
    def test_either_side_in_another_conversation_ends_it(self, bench: Bench, asked: str) -> None:
        before = stored(bench)
        bench.put(replace(bench.api, conversation_id="after-clear"))
        assert refusal(self.answer(bench, asked))[0] == "explicit-reply-conversation-changed"
        bench.put(bench.api, replace(bench.front, conversation_id="after-clear"))
        assert refusal(self.answer(bench, asked))[0] == "explicit-reply-conversation-changed"
        assert stored(bench) == before

    @pytest.mark.case("R299")
    def test_a_relaunch_into_the_same_conversation_is_answered(
        self, bench: Bench, asked: str
    ) -> None:
        bench.put(replace(bench.front, ended_at_ns=1, end_reason="gone"))
        assert refusal(self.answer(bench, asked))[0] == "explicit-reply-target-route-stale"
        bench.clock.advance(1)
        again = bench.run("front")
        receipt = accepted(self.answer(bench, asked))
        view = bench.office.view(receipt.ref)
        assert view.envelope.target.activation_generation == again.activation_id
        bench.arm(again)
        assert isinstance(bench.dispatcher.step(bench.take_post(again)), Delivered)
        assert bench.transport.written[-1].endpoint.owner == again.owner

    def test_a_replier_that_ended_is_refused(self, bench: Bench, asked: str) -> None:
        bench.put(replace(bench.api, ended_at_ns=1, end_reason="gone"))
        assert refusal(self.answer(bench, asked))[0] == "explicit-reply-source-route-stale"

    @pytest.mark.case("M186")
    def test_a_broken_answer_says_so(self, bench: Bench, asked: str) -> None:
        for text in ("", "  ", "a\0b", "x" * (LONGEST_PAYLOAD_BYTES + 1)):
            assert refusal(self.answer(bench, asked, text))[0] == "invalid-explicit-reply-envelope"

    def test_an_answer_with_a_ref_can_be_repeated(self, bench: Bench, asked: str) -> None:
        first = accepted(self.answer(bench, asked, ref="answer-1"))
        bench.clock.advance(7)
        again = accepted(self.answer(bench, asked, ref="answer-1"))
        assert again == replace(first, replayed=True)
        other = self.answer(bench, asked, "another text", ref="answer-1")
        assert refusal(other)[0] == "reply-ref-envelope-mismatch"

    def test_an_answer_cannot_take_its_originals_ref(self, bench: Bench, asked: str) -> None:
        outcome = self.answer(bench, asked, ref=asked)
        assert refusal(outcome)[0] == "reply-ref-envelope-mismatch"
        assert bench.row(asked).answer_ref is None
