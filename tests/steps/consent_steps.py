"""Steps about consent (P3)."""

from pytest_bdd import given, then, when

from steps.memory_world import MemoryWorld
from steps.phrases import phrase
from steps.world import World
from tidings.domain.consent.arming import ArmWord
from tidings.entrypoints.cli.subject import require_operator


@given(phrase("{name:name} is armed"))
@when(phrase("the operator arms {name:name}"))
def arm(world: World, name: str) -> None:
    world.arm(name)


@given(phrase("{name:name} is armed for {hours:d} hour"))
def arm_for_hours(world: World, name: str, hours: int) -> None:
    world.arm(name, hours=hours)


@given(phrase("{name:name} is armed for {sender:name}"))
def arm_for_sender(world: World, name: str, sender: str) -> None:
    world.arm(name, senders=[sender])


@given(phrase("{name:name} is disarmed"))
@when(phrase("the operator disarms {name:name}"))
def disarm(world: World, name: str) -> None:
    world.disarm(name)


@when(phrase("the operator disarms {name:name} and arms it again in one breath"))
def disarm_and_arm(world: World, name: str) -> None:
    world.disarm(name)
    world.arm(name)


@given(phrase("the operator disarms {name:name} right before the next write"))
def disarm_before_write(memory: MemoryWorld, name: str) -> None:
    memory.machine.witness.before_write = lambda: memory.disarm(name)


@when(phrase("the model of {agent:name} tries to arm {name:name}"))
def arm_by_agent(memory: MemoryWorld, agent: str, name: str) -> None:
    with memory.trying(f"arm {name}"):
        require_operator(memory.call_from(agent), memory.residents[name].owner.key, "arm")
        memory.arm(name)


@given(phrase("the consent mark of {name:name} is spoiled"))
@when(phrase("the consent mark of {name:name} is spoiled"))
def spoil(memory: MemoryWorld, name: str) -> None:
    memory.machine.marks.spoil(memory.residents[name].owner.key)


@when(phrase("the operator resets the consent of {name:name} and arms it"))
def reset_and_arm(memory: MemoryWorld, name: str) -> None:
    memory.app.desk.reset(memory.residents[name].owner)
    memory.arm(name)


@then(phrase("{name:name} is armed"))
def is_armed(memory: MemoryWorld, name: str) -> None:
    assert memory.consent(name) is ArmWord.ARMED


@then(phrase("{name:name} is not armed"))
def is_not_armed(memory: MemoryWorld, name: str) -> None:
    assert memory.consent(name) is not ArmWord.ARMED


@then(phrase("the consent of {name:name} is unverifiable"))
def is_unverifiable(memory: MemoryWorld, name: str) -> None:
    assert memory.consent(name) is ArmWord.UNVERIFIABLE
