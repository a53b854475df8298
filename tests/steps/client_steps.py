"""Steps about what clients do: dialogs, turns, deafness, sockets (P5, P7, P12), and about time."""

from pytest_bdd import given, parsers, when

from steps.memory_world import MemoryWorld
from steps.phrases import phrase, seconds_of
from steps.pretended_dialogs import Dialog
from steps.world import World
from tidings.adapters.memory.clock import SECOND_NS
from tidings.ports.inbound import InboundPolicy
from tidings.ports.tokens import StatusWord, WriteResult
from tidings.ports.trials import TrialEnd, TrialRow

INBOUND = {"holds": InboundPolicy.HOLD, "refuses": InboundPolicy.REFUSE}


@given(phrase("{name:name} shows its operator a {dialog}"))
@when(phrase("{name:name} shows its operator a {dialog}"))
def open_dialog(world: World, name: str, dialog: str) -> None:
    world.open_dialog(name, Dialog(dialog))


@given(phrase("a {dialog} opens at {name:name} right before the next write"))
def dialog_before_write(memory: MemoryWorld, name: str, dialog: str) -> None:
    memory.machine.witness.before_write = lambda: memory.open_dialog(name, Dialog(dialog))


@given(phrase("the operator of {name:name} denies it"))
@when(phrase("the operator of {name:name} denies it"))
def deny(world: World, name: str) -> None:
    world.deny(name)


@when(phrase("the operator of {name:name} allows it"))
def allow(memory: MemoryWorld, name: str) -> None:
    memory.harnesses[name].allow()


@when(phrase("the main turn of {name:name} ends"))
def main_turn_ends(memory: MemoryWorld, name: str) -> None:
    memory.harnesses[name].end_turn()


@given(phrase("the client of {name:name} publishes no status"))
def no_status(memory: MemoryWorld, name: str) -> None:
    memory.harnesses[name].publishes = False
    memory.harnesses[name].publish(StatusWord.IDLE)


@given(
    phrase("the client of {name:name} says that it waits for its operator, and no hook tells why")
)
def waits_without_hook(memory: MemoryWorld, name: str) -> None:
    memory.harnesses[name].publish(StatusWord.WAITING, "something new")


@given(phrase("{span} pass right before the next write"))
def time_before_write(memory: MemoryWorld, span: str) -> None:
    memory.machine.witness.before_write = lambda: memory.machine.clock.advance(seconds_of(span))


@given(phrase("the model of {name:name} is deaf"))
def deaf(memory: MemoryWorld, name: str) -> None:
    memory.harnesses[name].is_deaf = True


@given(phrase("the socket of {name:name} takes no byte of the next frame"))
def takes_nothing(memory: MemoryWorld, name: str) -> None:
    memory.machine.transport.script(WriteResult.ZERO)


@given(phrase("the socket of {name:name} takes a part of the next frame"))
def takes_a_part(memory: MemoryWorld, name: str) -> None:
    memory.machine.transport.script(WriteResult.PARTIAL)


@when(phrase("the operator of {name:name} clears the conversation"))
def clear(memory: MemoryWorld, name: str) -> None:
    memory.harnesses[name].clear()


@when(phrase("the operator of {name:name} types the ref of the message"))
def type_ref(memory: MemoryWorld, name: str) -> None:
    memory.harnesses[name].prompt(f"what became of {memory.view().row.ref}?")


@when(parsers.re(r"(?P<span>\d+ (minute|hour|day)s?) pass(es)?"))
def time_passes(memory: MemoryWorld, span: str) -> None:
    memory.clockwork.live(seconds_of(span))


@when(phrase("the wall clock is set back by {span}"))
def clock_back(memory: MemoryWorld, span: str) -> None:
    memory.machine.clock.jump_wall_ns(-seconds_of(span) * SECOND_NS)


@when(phrase("the wall clock is set forward by {span}"))
def clock_forward(memory: MemoryWorld, span: str) -> None:
    memory.machine.clock.jump_wall_ns(seconds_of(span) * SECOND_NS)


@when(phrase("the machine sleeps for {span}"))
def machine_sleeps(memory: MemoryWorld, span: str) -> None:
    memory.machine.clock.suspend_ns(seconds_of(span) * SECOND_NS)


@given(phrase("the client of {name:name} is of a version that was never tried"))
def untried(memory: MemoryWorld, name: str) -> None:
    memory.harnesses[name].version = "9.0.0"
    memory.residents[name].leave()
    memory.station(name)


@given(phrase("the client of {name:name} is of a version that was tried in vain"))
def tried_in_vain(memory: MemoryWorld, name: str) -> None:
    untried(memory, name)
    trial = TrialRow(client="claude 9.0.0", ref="m-before", end=TrialEnd.UNSEEN)
    memory.machine.disk.transact(lambda tx: tx.put_trial(trial), wait_seconds=0)


@given(phrase("the client of {name:name} {does:name} what comes in"))
def keeps_from_its_model(memory: MemoryWorld, name: str, does: str) -> None:
    memory.machine.inbound.set(memory.harnesses[name].folder, INBOUND[does])
    memory.harnesses[name].is_deaf = True
