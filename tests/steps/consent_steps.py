"""Steps about consent (P3)."""

import pytest
from pytest_bdd import given, then, when

from steps.memory_world import TERMINAL, MemoryWorld
from steps.phrases import phrase
from steps.world import World
from tidings.domain.consent.arming import ArmWord
from tidings.domain.consent.widening import TRACES
from tidings.domain.identity.claim import PID_VARIABLES
from tidings.entrypoints.cli.desk import Call
from tidings.entrypoints.cli.subject import require_operator
from tidings.ports.codec import Document


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


@given(phrase("{name:name} is armed for messages of kind {kind:name}"))
def arm_for_kind(memory: MemoryWorld, name: str, kind: str) -> None:
    memory.arm(name, kinds=[kind])


@given(phrase("{name:name} is armed to be woken by notices"))
def arm_to_be_woken(memory: MemoryWorld, name: str) -> None:
    memory.arm(name, wake=True)


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
    arm_from(memory, memory.call_from(agent), name)


@pytest.fixture
def own_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever runs these tests, their callers' shells carry no traces of a harness."""
    for trace in (*TRACES, *PID_VARIABLES):
        monkeypatch.delenv(trace, raising=False)


@when(phrase("a person at a terminal arms {name:name}"))
def arm_by_person(memory: MemoryWorld, own_shell: None, name: str) -> None:
    arm_from(memory, memory.call_from_outside(tty=TERMINAL), name)


@when(phrase("a script tries to arm {name:name}"))
def arm_by_script(memory: MemoryWorld, own_shell: None, name: str) -> None:
    arm_from(memory, memory.call_from_outside(), name)


def arm_from(memory: MemoryWorld, call: Call, name: str) -> None:
    with memory.trying(f"arm {name}"):
        require_operator(call, memory.residents[name].owner.key, "arm")
        memory.arm(name)


@given(phrase("the repository of {name:name} opts in"))
def opt_in(memory: MemoryWorld, name: str) -> None:
    write_repository(memory, name, {"push": {"auto_arm": True}})


@when(phrase("the repository of {name:name} changes its file"))
def change_file(memory: MemoryWorld, name: str) -> None:
    write_repository(memory, name, {"push": {"auto_arm": True}, "agent_name": "changed"})


@when(phrase("the repository of {name:name} takes its opt-in back"))
def take_opt_in_back(memory: MemoryWorld, name: str) -> None:
    write_repository(memory, name, {"push": {"auto_arm": False}})


def write_repository(memory: MemoryWorld, name: str, document: Document) -> None:
    memory.machine.settings.write_repository(memory.harnesses[name].folder, document)


@given("the user vetoes what repositories propose")
def veto(memory: MemoryWorld) -> None:
    memory.machine.settings.write_personal({"push": {"auto_arm": False}})


@given("the user demands to approve what repositories propose")
def demand_approval(memory: MemoryWorld) -> None:
    memory.machine.settings.write_personal({"push": {"require_approval": True}})


@given(phrase("a person at a terminal trusts the repository of {name:name}"))
@when(phrase("a person at a terminal trusts the repository of {name:name}"))
def trust_by_person(memory: MemoryWorld, own_shell: None, name: str) -> None:
    trust_from(memory, memory.call_from_outside(tty=TERMINAL), name)


@when(phrase("the model of {name:name} tries to trust its repository"))
def trust_by_agent(memory: MemoryWorld, name: str) -> None:
    trust_from(memory, memory.call_from(name), name)


def trust_from(memory: MemoryWorld, call: Call, name: str) -> None:
    with memory.trying(f"trust the repository of {name}"):
        require_operator(call, "", "trust")
        memory.app.trust.approve(memory.harnesses[name].folder)


@when("somebody reaps what has died")
def reap(memory: MemoryWorld) -> None:
    memory.app.desk.reap()


@when(phrase("the operator resets the consent of {name:name}"))
def reset(memory: MemoryWorld, name: str) -> None:
    memory.app.desk.reset(memory.residents[name].owner)


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
