"""A long queue: no step and no send looks at all of it, and order holds all the way down (F14)."""

from support.post import Bench
from tidings.adapters.memory.clock import SECOND_NS
from tidings.domain.messages.limits import QUEUE_WINDOW, UNSEEN_AT_MOST_NS
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outcomes import Delivered

MANY = 2 * QUEUE_WINDOW + 5


def test_a_step_looks_at_the_front_only() -> None:
    bench = Bench()
    refs = [
        bench.send(f"number {number}", kind=MessageKind.AUTOMATION).ref for number in range(MANY)
    ]
    looked_at = bench.row(refs[-1])
    assert bench.dispatcher.step(bench.post) == Delivered(ref=refs[0])
    assert bench.row(refs[-1]) == looked_at


def test_all_of_a_long_queue_goes_out_in_order() -> None:
    bench = Bench()
    refs = [
        bench.send(f"number {number}", kind=MessageKind.AUTOMATION).ref for number in range(MANY)
    ]
    went: list[str] = []
    while len(went) < MANY:
        outcome = bench.dispatcher.step(bench.post)
        if isinstance(outcome, Delivered):
            went.append(outcome.ref)
        else:  # ten frames are unproved: the time passes in which they would have been seen
            bench.clock.advance(UNSEEN_AT_MOST_NS / SECOND_NS)
    assert went == refs
