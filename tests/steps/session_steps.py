"""Steps about sessions and their processes (P1, P2)."""

from dataclasses import replace

from pytest_bdd import given, then, when

from steps.memory_world import MemoryWorld
from steps.phrases import names_in, phrase
from steps.pretended_resident import Life
from steps.world import World
from tidings.adapters.memory.processes import HOME, MemoryKernel, MemoryProcesses
from tidings.domain.identity.probe import OwnerProbe
from tidings.ports.errors import NotFound
from tidings.ports.tokens import Verdict


@given(phrase("the sessions {names}"))
def sessions(world: World, names: str) -> None:
    world.start(*names_in(names))


@given(phrase("a session {name:name} in the folder of {other:name}"))
def session_beside(memory: MemoryWorld, name: str, other: str) -> None:
    memory.begin(name, folder=memory.harnesses[other].folder)
    memory.station(name)


@given(phrase('a session {name:name} in a folder named "{folder}"'))
def session_in_folder(memory: MemoryWorld, name: str, folder: str) -> None:
    memory.begin(name, folder=f"/projects/{folder}")
    memory.station(name)


@when(phrase("another session that wants the name {name:name} starts in the same folder"))
def namesake(memory: MemoryWorld, name: str) -> None:
    memory.begin(f"{name}-2", wants=name, folder=memory.harnesses[name].folder)
    memory.station(f"{name}-2")


@given(phrase("the process of {name:name} has ended"))
@when(phrase("the process of {name:name} ends"))
def process_ends(world: World, name: str) -> None:
    world.end(name)


@when(phrase("the process of {name:name} ends and another program gets its number"))
def number_reused(memory: MemoryWorld, name: str) -> None:
    memory.end(name)
    memory.machine.kernel.spawn(memory.harnesses[name].birth.pid, name="make")


@when(phrase("the process of {name:name} ends and a new session gets its number and name"))
def number_and_name_reused(memory: MemoryWorld, name: str) -> None:
    memory.end(name)
    memory.begin(name, pid=memory.harnesses[name].birth.pid)
    memory.station(name)


@when(phrase("the process of {name:name} ends and a new session of that name starts"))
def name_reused(memory: MemoryWorld, name: str) -> None:
    memory.end(name)
    memory.start(name)


@when(phrase("the process of {name:name} ends and its conversation is resumed in a new process"))
def resumed(memory: MemoryWorld, name: str) -> None:
    memory.end(name)
    memory.begin(name, resume=memory.harnesses[name].conversation)
    memory.station(name)


@when(phrase("the socket of {name:name} is made anew"))
def socket_anew(memory: MemoryWorld, name: str) -> None:
    memory.harnesses[name].bind_anew(memory.machine.sockets.bind)


@when(phrase("the socket of {name:name} is made anew on the same inode"))
def socket_anew_same_inode(memory: MemoryWorld, name: str) -> None:
    before = memory.harnesses[name].node
    memory.harnesses[name].bind_anew(memory.machine.sockets.rebind_same_inode)
    assert memory.harnesses[name].node.inode == before.inode


@when("the machine is started anew")
def reboot(memory: MemoryWorld) -> None:
    memory.machine.kernel.reboot("boot-2")
    memory.machine.clock.reboot("boot-2")
    for resident in memory.residents.values():
        resident.life = Life.GONE


@when(phrase("the kernel tells nothing of {name:name} any more"))
def hidden(memory: MemoryWorld, name: str) -> None:
    memory.harnesses[name].hide()


@when(phrase("the kernel tells of {name:name} again"))
def shown(memory: MemoryWorld, name: str) -> None:
    memory.harnesses[name].show()


@when("somebody prunes the roster")
def prune(memory: MemoryWorld) -> None:
    memory.app.roster.prune()


@when(phrase("somebody prunes what has been unknown for more than {hours:d} hour"))
def prune_unknown(memory: MemoryWorld, hours: int) -> None:
    memory.app.roster.prune(older_than_ns=hours * 3_600 * 10**9)


@when("somebody looks from another container that shares the state folder", target_fixture="there")
def elsewhere(memory: MemoryWorld) -> OwnerProbe:
    place = replace(HOME, pid_namespace="pid:[2]", initial_pid_namespace=False)
    processes = MemoryProcesses(MemoryKernel(), place=place)
    return OwnerProbe(processes=processes, sockets=memory.machine.sockets)


@then(phrase("there {name:name} counts as unknown"))
def unknown_there(memory: MemoryWorld, there: OwnerProbe, name: str) -> None:
    assert there.judge(memory.residents[name].owner).verdict is Verdict.UNKNOWN


@then(phrase("{name:name} counts as dead"))
def counts_as_dead(memory: MemoryWorld, name: str) -> None:
    assert memory.app.roster.show(memory.residents[name].owner.key).verdict is Verdict.DEAD


@then(phrase("{name:name} counts as alive"))
def counts_as_alive(memory: MemoryWorld, name: str) -> None:
    assert memory.app.roster.show(memory.residents[name].owner.key).verdict is Verdict.ALIVE
    assert memory.is_listed(name)


@then(phrase("the newcomer is called {name:name}"))
def called(memory: MemoryWorld, name: str) -> None:
    assert memory.activation(name).address == name


@then(phrase("the roster still lists {name:name}"))
def listed(memory: MemoryWorld, name: str) -> None:
    assert memory.is_listed(name)


@then(phrase("the roster does not list {name:name}"))
def not_listed(memory: MemoryWorld, name: str) -> None:
    assert not memory.is_listed(name)


@then(phrase("the sender is told of {name:name}"))
def told_of(memory: MemoryWorld, name: str) -> None:
    assert isinstance(memory.error, NotFound)
    assert name in memory.error.near
