"""Naming an owner, and asking for its life (D3, S 9.1 and 9.2)."""

import pytest

from support.owners import SOCKET, World
from tidings.domain.identity.owner import SocketIdentity
from tidings.ports.errors import OwnerUnprovable
from tidings.ports.processes import ProcessBirth
from tidings.ports.sockets import SocketNode
from tidings.ports.tokens import Verdict


def test_a_captured_owner_is_alive() -> None:
    world = World()
    assert world.probe.judge(world.owner(with_socket=True)).verdict is Verdict.ALIVE


@pytest.mark.case("S9", "S10")
def test_a_bound_socket_is_recorded_with_its_identity() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    node = world.sockets.look(SOCKET)
    assert isinstance(node, SocketNode)
    assert owner.socket == SocketIdentity(
        path=SOCKET, device=node.device, inode=node.inode, mtime_ns=node.mtime_ns
    )
    assert node.inode > 0
    assert node.mtime_ns > 0


@pytest.mark.case("S11")
def test_a_missing_socket_is_not_recorded() -> None:
    world = World()
    assert world.probe.capture(world.kernel.spawn().pid, socket_path=SOCKET).socket is None


def test_a_file_in_a_sockets_place_is_not_recorded() -> None:
    world = World()
    node = world.sockets.bind(SOCKET)
    world.sockets.put(
        SocketNode(
            path=SOCKET,
            device=node.device,
            inode=node.inode,
            mtime_ns=node.mtime_ns,
            mode=0o100600,
            uid=node.uid,
            is_socket=False,
        )
    )
    assert world.probe.capture(world.kernel.spawn().pid, socket_path=SOCKET).socket is None


@pytest.mark.parametrize("fate", ["exit", "become_zombie", "become_unreadable", "lose_start"])
def test_an_owner_that_cannot_be_proved_is_not_named(fate: str) -> None:
    world = World()
    pid = world.kernel.spawn().pid
    getattr(world.kernel, fate)(pid)
    with pytest.raises(OwnerUnprovable, match=str(pid)) as caught:
        world.probe.capture(pid, socket_path=None)
    assert caught.value.next_step


def test_no_process_zero_owns_anything() -> None:
    with pytest.raises(OwnerUnprovable):
        World().probe.capture(0, socket_path=None)


@pytest.mark.case("S22")
def test_a_live_socket_beside_a_dead_process_is_dead() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    world.kernel.exit(owner.birth.pid)
    assert world.probe.judge(owner).verdict is Verdict.DEAD


@pytest.mark.case("S24", "R7")
def test_a_live_socket_beside_a_reused_pid_is_dead() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    reused = world.kernel.spawn(owner.birth.pid)
    assert reused != owner.birth
    assert world.probe.judge(owner).verdict is Verdict.DEAD


@pytest.mark.case("S27")
def test_a_removed_socket_outweighs_a_living_process() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    world.sockets.unlink(SOCKET)
    assert world.probe.judge(owner).verdict is Verdict.DEAD


@pytest.mark.case("S30")
def test_an_unreadable_socket_beside_a_living_process_is_unknown() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    world.sockets.become_unreadable(SOCKET)
    assert world.probe.judge(owner).verdict is Verdict.UNKNOWN


def test_an_unreadable_socket_does_not_save_a_dead_process() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    world.sockets.become_unreadable(SOCKET)
    world.kernel.exit(owner.birth.pid)
    assert world.probe.judge(owner).verdict is Verdict.DEAD


def test_a_bare_birth_is_judged_here_or_where_it_was_recorded() -> None:
    world = World()
    birth = world.kernel.spawn()
    assert world.probe.alive_birth(birth) is Verdict.ALIVE
    elsewhere = world.seen_from(pid_namespace="pid:[2]")
    assert elsewhere.probe.alive_birth(birth, world.place) is Verdict.UNKNOWN
    other = ProcessBirth(pid=birth.pid, uid=birth.uid, start="linux:boot-1:1")
    assert world.probe.alive_birth(other) is Verdict.DEAD
