"""One text to many under one ref (D34): one transaction, and a replay adds nobody."""

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from support.post import Bench, accepted
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.messages.browsing import Browser
from tidings.domain.messages.drafts import Draft
from tidings.domain.messages.members import MOST_TARGETS
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.room import StoreLimits
from tidings.domain.messages.send_outcome import Receipt, Refused, SendOutcome
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import Ambiguous, NotFound, UsageError


@pytest.fixture
def bench() -> Bench:
    return Bench()


def draft_for(bench: Bench, text: str = "the API changed") -> Callable[[ActivationRow], Draft]:
    return lambda target: bench.draft(text, kind=MessageKind.AUTOMATION, target=target)


def living(bench: Bench, *names: str) -> list[ActivationRow]:
    runs = [bench.run(name) for name in names]
    for run in runs:
        bench.arm(run)
    return runs


def refs_of(outcomes: tuple[SendOutcome, ...]) -> list[str]:
    return [accepted(outcome).ref for outcome in outcomes]


def stored(bench: Bench) -> int:
    return len(bench.store.view(lambda tx: tx.recent(after_seq=0, limit=500)))


def test_everybody_who_hears_it_gets_one_message_and_who_does_not_is_a_refusal(
    bench: Bench,
) -> None:
    one, other = living(bench, "one", "other")
    deaf = bench.run("deaf")
    outcomes = bench.office.send_to_all(draft_for(bench), [one, deaf, other], ref="all-1")
    first, second, third = outcomes
    assert [accepted(first).ref, accepted(third).ref] == [
        "all-1/agent-one",
        "all-1/agent-other",
    ]
    assert isinstance(second, Refused)
    assert (second.reason, stored(bench)) == ("target-not-armed", 2)


def test_a_replay_answers_for_those_of_then_and_adds_nobody(bench: Bench) -> None:
    targets = living(bench, "one", "two")
    first = bench.office.send_to_all(draft_for(bench), targets, ref="all-1")
    bench.put(replace(targets[0], ended_at_ns=1, end_reason="gone"))
    bench.put(replace(targets[1], conversation_id="cleared"))
    later = [*targets[1:], *living(bench, "newcomer")]
    again = bench.office.send_to_all(draft_for(bench), later, ref="all-1")
    assert refs_of(again) == refs_of(first)
    assert all(isinstance(one, Receipt) and one.replayed for one in again)
    assert stored(bench) == 2
    assert refs_of(bench.office.send_to_all(draft_for(bench), [], ref="all-1")) == refs_of(first)


def test_another_text_under_the_ref_is_refused_for_each(bench: Bench) -> None:
    targets = living(bench, "one", "two")
    bench.office.send_to_all(draft_for(bench), targets, ref="all-1")
    again = bench.office.send_to_all(draft_for(bench, "another"), targets, ref="all-1")
    assert [getattr(one, "reason", "") for one in again] == ["ref-envelope-mismatch"] * 2
    assert stored(bench) == 2


def test_the_ref_of_a_fan_out_is_refused_to_a_single_message_which_would_be_heard_twice(
    bench: Bench,
) -> None:
    one, two = living(bench, "one", "two")
    first = bench.office.send_to_all(draft_for(bench), [one, two], ref="all-1")
    draft = replace(draft_for(bench)(one), ref="all-1")

    def refusal() -> tuple[object, int]:
        said = bench.office.send(draft)
        assert isinstance(said, Refused)
        assert said.earlier_ref in refs_of(first)
        return said.reason, stored(bench)

    assert refusal() == ("ref-envelope-mismatch", 2)
    again = bench.office.send_to_all(draft_for(bench), [one, two], ref="all-1")
    assert refs_of(again) == refs_of(first)
    for run in (one, two):
        bench.put(replace(run, ended_at_ns=1, end_reason="gone"))
        bench.office.settle_due(run.agent_uid)
    bench.clock.advance(2 * 24 * 3600)
    bench.send("room is made", ref="other")
    assert refusal() == ("ref-envelope-mismatch", 1), "they left the store, and answer all the same"


def test_a_ref_with_a_slash_makes_no_fan_out_of_what_stands_before_it(bench: Bench) -> None:
    targets = living(bench, "one", "two")
    bench.send("build 42", ref="ci/42")
    bench.send("the nightly", ref="ci")
    bench.send("build 7", ref="cd/7")
    reached = bench.office.send_to_all(draft_for(bench), targets, ref="cd")
    assert refs_of(reached) == ["cd/agent-one", "cd/agent-two"]
    assert stored(bench) == 5


def test_sixty_four_fan_outs_at_once_reach_each_of_them_once(bench: Bench) -> None:
    targets = living(bench, "one", "two", "three")
    outcomes: list[tuple[SendOutcome, ...]] = []
    threads = [
        threading.Thread(
            target=lambda: outcomes.append(
                bench.office.send_to_all(draft_for(bench), targets, ref="all-1")
            )
        )
        for _ in range(64)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert len(outcomes) == 64
    assert len({tuple(refs_of(one)) for one in outcomes}) == 1
    assert sum(not accepted(one[0]).replayed for one in outcomes) == 1
    assert stored(bench) == 3


def test_each_receipt_says_whether_its_frame_will_be_whole(bench: Bench) -> None:
    targets = living(bench, "one", "two")
    for text, whole in (("short", True), ("x" * 60_000, False)):
        outcomes = bench.office.send_to_all(draft_for(bench, text), targets, ref=f"all-{whole}")
        assert [accepted(one).whole for one in outcomes] == [whole] * 2


def test_a_text_that_no_message_can_hold_reaches_nobody(bench: Bench) -> None:
    targets = living(bench, "one", "two")
    for text, ref in ((" ", "all-1"), ("x", "a b")):
        (refusal,) = bench.office.send_to_all(draft_for(bench, text), targets, ref=ref)
        assert isinstance(refusal, Refused), "one text, one fault, said once"
        assert refusal.exit_code == 2
    assert stored(bench) == 0


def test_a_fan_out_that_left_the_store_is_still_a_replay(bench: Bench) -> None:
    targets = living(bench, "one", "two")
    bench.office.send_to_all(draft_for(bench), targets, ref="all-1")
    bench.put(replace(targets[0], ended_at_ns=1, end_reason="gone"))
    bench.office.settle_due("agent-one")
    bench.clock.advance(2 * 24 * 3600)
    bench.send("room is made", ref="other")
    assert bench.store.view(lambda tx: tx.history_refs("all-1/", limit=9)) == ["all-1/agent-one"]
    bench.put(replace(targets[1], conversation_id="cleared"))
    newcomer = living(bench, "newcomer")
    again = bench.office.send_to_all(draft_for(bench), newcomer, ref="all-1")
    assert refs_of(again) == ["all-1/agent-one", "all-1/agent-two"]
    assert all(isinstance(one, Receipt) and one.replayed for one in again)
    other = bench.office.send_to_all(draft_for(bench, "another"), newcomer, ref="all-1")
    assert [getattr(one, "reason", "") for one in other] == ["ref-envelope-mismatch"] * 2
    bench.clock.advance(2 * 24 * 3600)
    bench.send("room is made again", ref="another")
    assert len(bench.store.view(lambda tx: tx.history_refs("all-1/", limit=9))) == 2
    last = bench.office.send_to_all(draft_for(bench), newcomer, ref="all-1")
    assert refs_of(last) == refs_of(again)


@pytest.mark.case("SP24")
def test_it_reaches_who_is_armed_for_its_kind_and_its_sender_and_counts_no_other(
    bench: Bench,
) -> None:
    one, other, narrow = living(bench, "one", "other", "narrow")
    bench.arm(narrow, ConsentScope(kinds=("agent",)))
    unarmed = bench.run("unarmed")
    outcomes = bench.office.send_to_all(draft_for(bench), [one, unarmed, narrow, other], ref="all")
    assert refs_of(tuple(x for x in outcomes if isinstance(x, Receipt))) == [
        "all/agent-one",
        "all/agent-other",
    ]
    assert [x.reason for x in outcomes if isinstance(x, Refused)] == ["target-not-armed"] * 2
    assert bench.office.refs_under("all") == ("all/agent-one", "all/agent-other")


@pytest.mark.case("SP27")
def test_a_consent_that_cannot_be_read_refuses_it_for_all_and_nothing_is_stored(
    bench: Bench,
) -> None:
    one, other = living(bench, "one", "other")
    bench.marks.spoil(other.session_key)
    (refusal,) = bench.office.send_to_all(draft_for(bench), [one, other], ref="all-1")
    assert isinstance(refusal, Refused)
    assert (refusal.reason, refusal.exit_code) == ("consent-unreadable", 7)
    assert "other" in refusal.text
    assert (stored(bench), bench.office.refs_under("all-1")) == (0, ())
    single = bench.office.send(bench.draft(kind=MessageKind.AUTOMATION, target=other))
    assert isinstance(single, Refused)
    assert (single.reason, single.exit_code, stored(bench)) == ("consent-unreadable", 7, 0)


def test_a_store_without_room_takes_it_for_nobody() -> None:
    bench = Bench(limits=StoreLimits(records=2))
    targets = living(bench, "one", "two", "three")
    (refusal,) = bench.office.send_to_all(draft_for(bench), targets, ref="all-1")
    assert isinstance(refusal, Refused)
    assert (refusal.reason, stored(bench)) == ("store-full", 0)


def test_the_ref_of_a_single_message_is_none_of_a_fan_out(bench: Bench) -> None:
    bench.send("alone", ref="all-1")
    (refusal,) = bench.office.send_to_all(draft_for(bench), living(bench, "one"), ref="all-1")
    assert isinstance(refusal, Refused)
    assert (refusal.reason, refusal.earlier_ref) == ("ref-envelope-mismatch", "all-1")
    assert stored(bench) == 1


def test_a_ref_that_nobody_can_give_is_refused_though_nobody_hears(bench: Bench) -> None:
    (refusal,) = bench.office.send_to_all(draft_for(bench), [], ref="a b")
    assert isinstance(refusal, Refused)
    assert refusal.exit_code == 2


def test_more_targets_than_one_can_reach_are_an_error_and_not_fewer(bench: Bench) -> None:
    (one,) = living(bench, "one")
    with pytest.raises(UsageError):
        bench.office.send_to_all(draft_for(bench), [one] * (MOST_TARGETS + 1), ref="all-1")
    assert stored(bench) == 0


def test_its_ref_names_all_of_its_messages_and_no_others(bench: Bench) -> None:
    targets = living(bench, "one", "two")
    bench.office.send_to_all(draft_for(bench), targets, ref="all-hands")
    bench.send("another", ref="all-is-well")
    browser = Browser(store=bench.store, clock=bench.clock)
    members = ["all-hands/agent-one", "all-hands/agent-two"]
    for text in ("all-hands", "all-h"):
        assert [view.row.ref for view in browser.thread(text)] == members
    for text in ("all-", "all-hands/", "all-hands/agent"):
        with pytest.raises((Ambiguous, NotFound)):
            browser.thread(text)
    assert [view.row.ref for view in browser.thread(members[0])] == members[:1]
    with pytest.raises(Ambiguous) as caught:
        bench.office.view("all-hands")
    assert caught.value.next_step == "`tidings message thread all-hands` shows them all"
