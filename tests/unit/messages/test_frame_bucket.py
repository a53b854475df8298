"""No more frames than the client takes: 30 at once and one every 2 s, measured (D18)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.post import Bench
from tidings.domain.messages.bucket import CAPACITY, REFILL_NS, FrameBucket
from tidings.domain.messages.limits import SECOND_NS
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outcomes import Delivered, Held
from tidings.ports.tokens import WriteResult

CLIENTS_CAPACITY, CLIENTS_REFILL_NS = 30, 2 * SECOND_NS


class ClientsBucket:
    """What the real client was measured to do with the frames of one writer."""

    def __init__(self) -> None:
        self._frames, self._at_ns = float(CLIENTS_CAPACITY), 0

    def takes(self, now_ns: int) -> bool:
        refilled = (now_ns - self._at_ns) / CLIENTS_REFILL_NS
        self._frames = min(float(CLIENTS_CAPACITY), self._frames + refilled)
        self._at_ns = now_ns
        taken = self._frames >= 1
        self._frames -= taken
        return taken


@settings(max_examples=100)
@given(st.lists(st.integers(0, 3 * SECOND_NS), max_size=200))
def test_whatever_ours_lets_out_the_client_takes(pauses: list[int]) -> None:
    ours, client, now_ns = FrameBucket(0, spent=0), ClientsBucket(), 0
    for pause in pauses:
        now_ns += pause
        if ours.has_room(now_ns):
            ours.take(now_ns)
            assert client.takes(now_ns)


def test_a_long_queue_goes_out_as_fast_as_the_client_takes_it_and_in_order() -> None:
    bench = Bench()
    refs = [
        bench.send(f"number {number}", kind=MessageKind.AUTOMATION).ref
        for number in range(CAPACITY + 5)
    ]
    assert emptied(bench) == refs[:CAPACITY]
    bench.clock.advance_ns(REFILL_NS - 1)
    assert emptied(bench) == []
    assert bench.state(refs[CAPACITY]) == ("held", "pacing")
    bench.clock.advance_ns(1)
    assert emptied(bench) == [refs[CAPACITY]]
    bench.clock.advance_ns(10 * REFILL_NS)
    assert emptied(bench) == refs[CAPACITY + 1 :]
    assert bench.texts() == [f"number {number}" for number in range(CAPACITY + 5)]


def test_another_image_of_the_resident_begins_with_what_is_left() -> None:
    bench = Bench()
    for number in range(CAPACITY):
        bench.send(f"number {number}", kind=MessageKind.AUTOMATION)
    assert len(emptied(bench)) == CAPACITY
    bench.send("one more", kind=MessageKind.AUTOMATION)
    bench.dispatcher = bench.new_dispatcher()
    assert emptied(bench) == []
    bench.clock.advance_ns(REFILL_NS)
    assert len(emptied(bench)) == 1


@pytest.mark.parametrize(
    ("result", "left"), [(WriteResult.ZERO, CAPACITY), (WriteResult.UNKNOWN, CAPACITY - 1)]
)
def test_only_what_may_have_gone_counts(result: WriteResult, left: int) -> None:
    bench = Bench()
    bench.transport.script(result)
    bench.send("lost")
    bench.dispatcher.step(bench.post)
    for number in range(CAPACITY + 1):
        bench.send(f"number {number}", kind=MessageKind.AUTOMATION)
    assert len(emptied(bench)) == left


def emptied(bench: Bench) -> list[str]:
    """The refs that go out one after the other, each seen at once, until one is held."""
    gone: list[str] = []
    while isinstance(outcome := bench.dispatcher.step(bench.post), Delivered):
        bench.see(outcome.ref)
        gone.append(outcome.ref)
    assert not isinstance(outcome, Held) or outcome.reason == "pacing"
    return gone
