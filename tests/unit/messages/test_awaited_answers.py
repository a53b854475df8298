"""An answer that the command which asked still waits for is brought by nobody else (D15)."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from support.post import Bench, accepted
from tidings.domain.messages.dispatcher import DeliveryPost
from tidings.domain.messages.outcomes import Delivered, Held, Nothing
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.wishes import Wishes, waiter_of, waiter_text
from tidings.ports.processes import ProcessBirth


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    made.arm(made.front)
    return made


def asked(bench: Bench, waiter: ProcessBirth) -> tuple[DeliveryPost, str]:
    """Front's post, and the answer to what ``waiter`` asked api for it."""
    wishes = Wishes(awaited_by=waiter_text(waiter))
    question = bench.send("which port?", wishes=wishes)
    assert isinstance(bench.dispatcher.step(bench.post), Delivered)
    front = bench.take_post(bench.front)
    answer = bench.office.answer(question.ref, "8080", replier=bench.api, proof=Proof.KERNEL_PEER)
    return front, accepted(answer).ref


def test_it_waits_while_that_process_lives_and_is_claimed_by_it(bench: Bench) -> None:
    front, answer = asked(bench, bench.kernel.spawn())
    held = Held(ref=answer, reason="awaiting-asker")
    assert bench.dispatcher.step(front) == held
    claimed = bench.inbox.claim(bench.front.activation_id, answer)
    assert claimed == Delivered(ref=answer)
    assert bench.state(answer) == ("delivered", "target-self-claim")
    assert bench.dispatcher.step(front) == Nothing()
    assert bench.inbox.claim(bench.front.activation_id, answer) == Nothing()
    assert bench.texts() == ["which port?"]


def test_it_goes_out_once_that_process_is_gone(bench: Bench) -> None:
    waiter = bench.kernel.spawn()
    front, answer = asked(bench, waiter)
    assert bench.dispatcher.step(front) == Held(ref=answer, reason="awaiting-asker")
    bench.kernel.exit(waiter.pid)
    assert bench.dispatcher.step(front) == Delivered(ref=answer)
    assert bench.texts() == ["which port?", "8080"]
    assert bench.inbox.claim(bench.front.activation_id, answer) == Nothing()


def test_another_process_with_its_number_is_not_waited_for(bench: Bench) -> None:
    waiter = bench.kernel.spawn()
    front, answer = asked(bench, replace(waiter, start=f"{waiter.start}0"))
    assert bench.dispatcher.step(front) == Delivered(ref=answer)


def test_a_claim_takes_what_is_the_claimants_and_nothing_that_consent_refuses(
    bench: Bench,
) -> None:
    _front, answer = asked(bench, bench.kernel.spawn())
    assert bench.inbox.claim(bench.api.activation_id, answer) == Nothing()
    bench.disarm(bench.front)
    assert bench.inbox.claim(bench.front.activation_id, answer) == Nothing()
    assert bench.row(answer).state != "delivered"


def test_a_waiter_reads_as_it_was_written_and_nothing_else_does() -> None:
    birth = ProcessBirth(pid=42, uid=1000, start="linux:boot-1:77")
    assert waiter_of(waiter_text(birth)) == birth
    for text in ("", "42", "42 1000", "0 1000 x", "-1 0 x", "42 1000 a b", "42 1000 \n"):
        assert waiter_of(text) is None


def test_a_retry_from_another_process_is_still_a_retry(bench: Bench) -> None:
    refs: Mapping[int, str] = {
        number: bench.send("once", ref="q-1", wishes=Wishes(awaited_by=f"{number} 1 x")).ref
        for number in (7, 8)
    }
    assert set(refs.values()) == {"q-1"}
    assert len(bench.store.view(lambda tx: tx.recent(after_seq=0, limit=9))) == 1
