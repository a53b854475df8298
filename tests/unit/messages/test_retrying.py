"""Sending again by hand, browsing, and settling what nobody is there to settle (D20)."""

import pytest

from support.post import Bench
from tidings.domain.messages.browsing import Browser
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.refs import OUR_REF
from tidings.domain.messages.retrying import retry_ref, retry_refusal
from tidings.domain.messages.settler import Settler
from tidings.entrypoints.testing.message_rows import NOON_NS, delivered, marked, message
from tidings.ports.errors import LockTimeout
from tidings.ports.messages import MessageRow
from tidings.ports.tokens import LockKind

REF = "m" + "0" * 28
FRONT = "agent-front"


def ended(
    state: str, reason: str, *, unknown: bool = False, was_marked: bool = False
) -> MessageRow:
    make = marked if was_marked else message
    return make(REF, state=state, reason=reason, outcome_unknown=unknown, terminal_at_ns=NOON_NS)


@pytest.mark.parametrize(
    ("row", "may"),
    [
        (ended("failed", "provider-write-zero", was_marked=True), True),
        (ended("failed", "provider-prewrite-refused", was_marked=True), True),
        (ended("expired", "deadline-expired"), True),
        (ended("stale", "target-activation-stale"), True),
        (ended("refused", "cancelled-by-sender"), True),
        (ended("failed", "provider-write-partial", unknown=True, was_marked=True), False),
        (ended("failed", "provider-handoff-outcome-unknown", unknown=True, was_marked=True), False),
        (ended("failed", "never heard of", was_marked=True), False),
        (ended("expired", "deadline-expired", was_marked=True), False),
        (message(REF), False),
        (message(REF, state="held", reason="pacing"), False),
        (marked(REF), False),
        (delivered(REF), False),
    ],
)
def test_only_what_is_proved_unwritten_may_be_sent_again(row: MessageRow, may: bool) -> None:
    refusal = retry_refusal(row, source_agent=FRONT)
    assert (refusal is None) is may
    assert refusal is None or (refusal.reason, refusal.earlier_ref) == ("retry-not-known-zero", REF)


@pytest.mark.parametrize("other", [None, "agent-other"])
def test_only_its_sender_may_send_a_message_again(other: str | None) -> None:
    refusal = retry_refusal(ended("expired", "deadline-expired"), source_agent=other)
    assert refusal is not None
    assert refusal.reason == "source-not-yours"


def test_the_ref_of_a_retry_follows_from_the_first_and_differs_from_it() -> None:
    again = retry_ref(REF)
    assert again == retry_ref(REF) != REF
    assert OUR_REF.fullmatch(again)
    assert retry_ref(again) not in (again, REF)


def test_a_thread_is_its_question_and_all_answers_in_order() -> None:
    bench = Bench()
    bench.arm(bench.front)
    browser = Browser(store=bench.store, clock=bench.clock)
    ref = bench.send("which port?").ref
    bench.dispatcher.step(bench.post)
    answer = bench.office.answer(ref, "8080", replier=bench.api, proof=Proof.KERNEL_PEER)
    bench.send("something else")
    bench.inbox.pull(bench.front.activation_id, lambda frame: None)
    second = bench.office.answer(
        getattr(answer, "ref", ""), "thanks", replier=bench.front, proof=Proof.ANCESTRY
    )
    refs = [ref, getattr(answer, "ref", ""), getattr(second, "ref", "")]
    for start in refs:
        assert [view.row.ref for view in browser.thread(start)] == refs


def test_the_newest_wanted_messages_are_listed_oldest_first() -> None:
    bench = Bench()
    browser = Browser(store=bench.store, clock=bench.clock)
    refs = [bench.send(f"number {number}").ref for number in range(5)]
    found = browser.newest(limit=2, wanted=lambda row: row.ref != refs[3])
    assert [view.row.ref for view in found] == [refs[2], refs[4]]
    bench.clock.advance(3 * 3600)
    assert {view.state for view in browser.newest(limit=9, wanted=lambda row: True)} == {"expired"}
    assert bench.row(refs[0]).state == "accepted"


def test_a_write_whose_writer_is_gone_is_settled_as_uncertain_under_the_delivery_lock() -> None:
    bench = Bench()
    settler = Settler(store=bench.store, locks=bench.locks, clock=bench.clock)
    ref = bench.send().ref

    def die() -> None:
        raise KeyboardInterrupt

    bench.transport.before_write = die
    with pytest.raises(KeyboardInterrupt):
        bench.dispatcher.step(bench.post)
    assert bench.row(ref).state == "accepted"
    with (
        bench.locks.hold(LockKind.DELIVERY, bench.api.session_key, wait_seconds=0),
        pytest.raises(LockTimeout),
    ):
        settler.settle_lost(bench.api)
    assert bench.row(ref).state == "accepted"
    assert settler.settle_lost(bench.api) == (ref,)
    assert bench.state(ref) == ("failed", "provider-handoff-outcome-unknown")
    assert settler.settle_lost(bench.api) == ()
