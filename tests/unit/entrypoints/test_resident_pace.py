"""How soon a resident looks again: a notice that waits for a turn costs nothing until then (D13)."""

from steps.ledger import Ledger
from steps.memory_world import MemoryWorld
from tidings.adapters.memory.clock import SECOND_NS
from tidings.entrypoints.resident.desk import QUIET_SECONDS, WAITING_SECONDS


def world() -> MemoryWorld:
    made = MemoryWorld(Ledger())
    made.start("front", "api")
    made.arm("api")
    return made


def seconds_to_next_look(made: MemoryWorld) -> float:
    now_ns = made.machine.clock.now().boottime_ns
    return (made.residents["api"].due_ns - now_ns) / SECOND_NS


def test_while_only_a_notice_waits_it_sleeps_until_it_rings() -> None:
    made = world()
    made.notify(made.call_from("front"), "api", "a notice", wake=False)
    made.clockwork.live(QUIET_SECONDS)
    assert seconds_to_next_look(made) > WAITING_SECONDS
    made.send("front", "api", "a message")
    made.moment()
    assert made.harnesses["api"].texts_read == ["a notice", "a message"]


def test_a_notice_whose_waking_is_armed_later_goes_out_at_that_ring() -> None:
    made = world()
    made.notify(made.call_from("front"), "api", "a notice", wake=True)
    made.clockwork.live(QUIET_SECONDS)
    assert made.frames("api") == []
    made.arm("api", wake=True)
    made.moment()
    assert made.harnesses["api"].texts_read == ["a notice"]
