"""Notices: they wait for a turn that something else starts, and wake only by two words (D15)."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.post import Bench, accepted
from tidings.adapters.memory.history_rows import MemoryTransaction
from tidings.domain.consent.opt_in import OptIn
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.messages.frame import Frame
from tidings.domain.messages.limits import MOST_UNPROVED, QUEUE_WINDOW
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outcomes import Delivered, Held, Settled, StepOutcome
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.send_outcome import Refused
from tidings.domain.messages.wishes import Wishes
from tidings.ports.messages import MessageRow
from tidings.ports.tokens import Provider


@pytest.fixture
def bench() -> Bench:
    return Bench()


def step(bench: Bench) -> StepOutcome:
    return bench.dispatcher.step(bench.post)


def steps(bench: Bench) -> None:
    """Steps until nothing more can be done now."""
    while isinstance(step(bench), Delivered | Settled):
        pass


def notice(bench: Bench, text: str) -> str:
    return bench.send(text, kind=MessageKind.NOTICE).ref


def opted_in(_key: str) -> OptIn:
    return OptIn(is_on=True, why="the repository says so", proposed=True)


def test_a_notice_that_starts_no_turn_is_held_from_the_beginning(bench: Bench) -> None:
    assert bench.state(notice(bench, "notice")) == ("held", "awaiting-turn")
    bench.arm(bench.api, ConsentScope(wake=True))
    waking = bench.send("notice", kind=MessageKind.NOTICE, wishes=Wishes(wake=True))
    assert (waking.state, waking.reason) == ("accepted", "")


def test_behind_any_number_of_notices_a_message_is_found_without_looking_at_all(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs = [notice(bench, f"notice {number}") for number in range(3 * QUEUE_WINDOW)]
    bench.send("message")
    looks: list[int] = []
    queue = MemoryTransaction.queue

    def counted(tx: MemoryTransaction, uid: str, **more: Any) -> Sequence[MessageRow]:
        rows = queue(tx, uid, **more)
        looks.append(len(rows))
        return rows

    monkeypatch.setattr(MemoryTransaction, "queue", counted)
    assert step(bench) == Delivered(ref=refs[0])
    assert max(looks) == QUEUE_WINDOW


@pytest.mark.parametrize(("asked", "armed"), [(False, True), (True, False), (False, False)])
def test_a_notice_wakes_nobody_unless_that_is_both_asked_for_and_armed(
    bench: Bench, asked: bool, armed: bool
) -> None:
    bench.arm(bench.api, ConsentScope(wake=armed))
    ref = bench.send("notice", kind=MessageKind.NOTICE, wishes=Wishes(wake=asked)).ref
    assert step(bench) == Held(ref=ref, reason="awaiting-turn")
    assert bench.transport.writes_begun == 0


def test_asked_for_and_armed_it_goes_out_by_itself_in_its_place(bench: Bench) -> None:
    bench.arm(bench.api, ConsentScope(wake=True))
    notice(bench, "a notice that waits")
    bench.send("a notice that wakes", kind=MessageKind.NOTICE, wishes=Wishes(wake=True))
    notice(bench, "one behind it")
    steps(bench)
    assert bench.texts() == ["a notice that waits", "a notice that wakes"]


def test_a_repositorys_opt_in_lets_no_notice_wake() -> None:
    bench = Bench(default_of=opted_in)
    owner = SessionOwner(birth=bench.api.owner, place=bench.api.place, socket=None)
    bench.desk.reset(owner)
    ref = bench.send("notice", kind=MessageKind.NOTICE, wishes=Wishes(wake=True)).ref
    assert step(bench) == Held(ref=ref, reason="awaiting-turn")


def test_waking_that_is_taken_back_at_the_last_moment_writes_nothing(bench: Bench) -> None:
    bench.arm(bench.api, ConsentScope(wake=True))
    ref = bench.send("notice", kind=MessageKind.NOTICE, wishes=Wishes(wake=True)).ref
    bench.transport.before_write = lambda: bench.arm(bench.api)
    assert step(bench) == Held(ref=ref, reason="awaiting-turn")
    assert bench.transport.writes_begun == 0
    assert bench.row(ref).handoff_at_ns is None


def test_a_notice_whose_message_is_cancelled_at_the_last_moment_is_not_written(
    bench: Bench,
) -> None:
    ref = notice(bench, "notice")
    message = bench.send("message")
    bench.transport.before_write = lambda: cancel(bench, message.ref)
    assert step(bench) == Held(ref=ref, reason="awaiting-turn")
    assert bench.transport.writes_begun == 0


def test_a_notice_goes_out_only_with_room_for_the_message_behind_it_and_blocks_it_never(
    bench: Bench,
) -> None:
    for number in range(MOST_UNPROVED - 1):
        bench.send(f"message {number}")
    steps(bench)
    ref = notice(bench, "notice")
    last = bench.send("the tenth")
    assert step(bench) == Delivered(ref=last.ref)
    assert step(bench) == Held(ref=ref, reason="awaiting-turn")


def test_however_many_notices_wait_the_next_message_goes_out_behind_nine_at_most(
    bench: Bench,
) -> None:
    for number in range(100):
        notice(bench, f"notice {number}")
    bench.send("message")
    steps(bench)
    told = [f"notice {number}" for number in range(MOST_UNPROVED - 1)]
    assert bench.texts() == [*told, "message"]


def test_who_pulls_is_given_a_notice_like_anything_else(bench: Bench) -> None:
    mux = bench.run("mux", provider=Provider.PROCESS)
    bench.arm(mux)
    bench.send("notice", kind=MessageKind.NOTICE, target=mux)
    read: list[Frame] = []
    assert isinstance(bench.inbox.pull(mux.activation_id, read.append), Delivered)
    assert [frame.shown for frame in read] == ["notice"]


def cancel(bench: Bench, ref: str) -> None:
    bench.office.cancel(ref, source_agent="agent-front")


def test_a_notice_asks_nothing_and_takes_no_answer(bench: Bench) -> None:
    draft = bench.draft("notice", kind=MessageKind.NOTICE, source=bench.front)
    ref = accepted(bench.office.send(draft)).ref
    assert bench.office.business(bench.front.agent_uid).asked == 0
    bench.send("message")
    steps(bench)
    assert bench.state(ref)[0] == "delivered"
    assert bench.office.business(bench.front.agent_uid).asked == 1
    answer = bench.office.answer(ref, "thanks", replier=bench.api, proof=Proof.ANCESTRY)
    assert isinstance(answer, Refused)
    assert (answer.reason, answer.exit_code) == ("explicit-reply-to-notice", 1)
    assert bench.row(ref).answer_ref is None


SENT = st.sampled_from(["notice", "waking", "message"])


@settings(max_examples=80, deadline=None)
@given(
    rounds=st.lists(st.lists(SENT, max_size=4), min_size=1, max_size=3).filter(
        lambda rounds: sum(map(len, rounds)) < MOST_UNPROVED
    ),
    may_wake=st.booleans(),
)
def test_whatever_is_sent_notices_go_right_before_what_starts_a_turn_and_in_order(
    rounds: list[list[str]], may_wake: bool
) -> None:
    """P6 and D15: what is expected is told by a queue that goes out up to its last head."""
    bench = Bench()
    bench.arm(bench.api, ConsentScope(wake=may_wake))
    waiting: list[str] = []
    expected: list[str] = []
    for number, sent in enumerate(rounds):
        for place, what in enumerate(sent):
            text = f"{what} {number}.{place}"
            kind = MessageKind.AGENT if what == "message" else MessageKind.NOTICE
            bench.send(text, kind=kind, wishes=Wishes(wake=what == "waking"))
            waiting.append(text)
        steps(bench)
        heads = [at for at, text in enumerate(waiting) if starts_turn(text, may_wake)]
        last = heads[-1] + 1 if heads else 0
        expected += waiting[:last]
        waiting = waiting[last:]
        assert bench.texts() == expected
    assert all(bench.state(ref) == ("held", "awaiting-turn") for ref in left(bench))
    assert len(left(bench)) == len(waiting)


def starts_turn(text: str, may_wake: bool) -> bool:
    return text.startswith("message") or (may_wake and text.startswith("waking"))


def left(bench: Bench) -> list[str]:
    return [row.ref for row in bench.store.view(lambda tx: tx.queue(bench.api.agent_uid))]
