"""List, show, consent and the probe never disagree on whether an owner lives: one function says it."""

import ast
from collections.abc import Callable

import pytest

from support.owners import SOCKET, World
from support.project import ROOT
from tidings.adapters.memory.clock import SeededIds
from tidings.adapters.memory.messages import MemoryMessageStore
from tidings.domain.consent.arming import ArmWord
from tidings.domain.consent.scope import EVERYTHING
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.registration.admission import Admission
from tidings.ports.errors import NotRunning
from tidings.ports.tokens import Provider, Verdict

Fate = Callable[[World, SessionOwner], World]


def nothing(world: World, owner: SessionOwner) -> World:
    return world


def exits(world: World, owner: SessionOwner) -> World:
    world.kernel.exit(owner.birth.pid)
    return world


def becomes_a_zombie(world: World, owner: SessionOwner) -> World:
    world.kernel.become_zombie(owner.birth.pid)
    return world


def keeps_a_thread(world: World, owner: SessionOwner) -> World:
    world.kernel.become_zombie(owner.birth.pid, tasks=2)
    return world


def is_reused(world: World, owner: SessionOwner) -> World:
    world.kernel.spawn(owner.birth.pid)
    return world


def cannot_be_read(world: World, owner: SessionOwner) -> World:
    world.kernel.become_unreadable(owner.birth.pid)
    return world


def loses_its_socket(world: World, owner: SessionOwner) -> World:
    world.sockets.unlink(SOCKET)
    return world


def binds_its_socket_anew(world: World, owner: SessionOwner) -> World:
    world.sockets.rebind_same_inode(SOCKET)
    return world


def hides_its_socket(world: World, owner: SessionOwner) -> World:
    world.sockets.become_unreadable(SOCKET)
    return world


def is_seen_from_a_container(world: World, owner: SessionOwner) -> World:
    return world.seen_from(pid_namespace="pid:[2]", initial_pid_namespace=False)


def reboots(world: World, owner: SessionOwner) -> World:
    world.kernel.reboot("boot-2")
    return world


FATES: list[tuple[Fate, Verdict]] = [
    (nothing, Verdict.ALIVE),
    (exits, Verdict.DEAD),
    (becomes_a_zombie, Verdict.DEAD),
    (keeps_a_thread, Verdict.ALIVE),
    (is_reused, Verdict.DEAD),
    (cannot_be_read, Verdict.UNKNOWN),
    (loses_its_socket, Verdict.DEAD),
    (binds_its_socket_anew, Verdict.DEAD),
    (hides_its_socket, Verdict.UNKNOWN),
    (is_seen_from_a_container, Verdict.UNKNOWN),
    (reboots, Verdict.DEAD),
]

WORDS = {
    Verdict.ALIVE: ArmWord.ARMED,
    Verdict.DEAD: ArmWord.NONE,
    Verdict.UNKNOWN: ArmWord.UNVERIFIABLE,
}


@pytest.mark.parametrize(("fate", "verdict"), FATES, ids=[fate.__name__ for fate, _ in FATES])
def test_everybody_agrees(fate: Fate, verdict: Verdict) -> None:
    world, store = World(), MemoryMessageStore()
    world.settings.write_repository("/work", {"push": {"auto_arm": True}})
    owner = world.owner(with_socket=True)
    world.register(owner, label="wren")
    admission_of(world, store).admit(
        owner,
        provider=Provider.CLAUDE,
        conversation_id="s-1",
        label="",
        cwd="/work",
        wanted=["api"],
    )
    world.desk.arm(owner, cwd="/work", scope=EVERYTHING)
    after = fate(world, owner)
    admission = admission_of(after, store)
    assert [one.verdict for one in admission.living()] == [verdict]
    if verdict is Verdict.DEAD:
        with pytest.raises(NotRunning):
            admission.resolve("api")
    else:
        assert admission.resolve("api").session_key == owner.key
    assert after.defaults.of_session(owner.key).is_on is (verdict is Verdict.ALIVE)
    assert after.roster.label_of(owner) == ("wren" if verdict is Verdict.ALIVE else "")
    assert after.probe.judge(owner).verdict is verdict
    assert [row.verdict for row in after.roster.list()] == [verdict]
    assert after.roster.show(owner.key).verdict is verdict
    assert after.desk.state(owner.key).word is WORDS[verdict]
    assert after.roster.prune().dead_removed == (1 if verdict is Verdict.DEAD else 0)


JUDGEMENTS = frozenset({"judge_owner", "judge_process", "judge_socket", "judge_number"})
ROOMS = ("domain", "adapters", "entrypoints")


def test_nobody_judges_a_life_but_the_probe() -> None:
    judging = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if JUDGEMENTS
        & {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    }
    assert judging == {"domain/identity/owner.py", "domain/identity/probe.py"}


def admission_of(world: World, store: MemoryMessageStore) -> Admission:
    return Admission(
        store=store,
        records=world.records,
        clock=world.clock,
        ids=SeededIds(),
        probe=world.probe,
    )
