"""Arming, disarming, resetting and reaping (D6 to D8, S 9.8 to 9.10)."""

import errno
import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from support.opt_in import nobody_opted_in, nobody_registered
from support.owners import SOCKET, World
from tidings.adapters.files.consent_marks import FileConsentMarks
from tidings.adapters.memory.consent_marks import MemoryConsentMarks
from tidings.adapters.memory.locks import MemoryHeldLock, MemoryLocks
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.consent.arming import (
    ArmWord,
    ConsentRequest,
    Denied,
    Granted,
    decide_answer_consent,
    decide_consent,
)
from tidings.domain.consent.change import Change, armed_mark
from tidings.domain.consent.desk import Barrier, ConsentDesk, Reset
from tidings.domain.consent.mark import MarkState, NoMark
from tidings.domain.consent.scope import EVERYTHING, ConsentScope
from tidings.domain.identity.owner import SessionOwner
from tidings.ports.codec import ReadOnlyDocument, Value
from tidings.ports.consent import MarkMissing, MarkRead
from tidings.ports.errors import (
    LockTimeout,
    OwnerUnprovable,
    StateUnreadable,
    StateUnwritable,
)
from tidings.ports.sockets import SocketNode
from tidings.ports.tokens import LockKind

REQUEST = ConsentRequest(sender_agent="u1", sender_address="front", kind="message")


def arm(world: World, owner: SessionOwner, scope: ConsentScope = EVERYTHING) -> int:
    """Arms and returns the generation."""
    return world.desk.arm(owner, cwd="/work", scope=scope).generation


def disarm(world: World, owner: SessionOwner) -> int:
    """Disarms and returns the generation."""
    return world.desk.disarm(owner, cwd="/work").generation


def word(world: World, owner: SessionOwner) -> ArmWord:
    return world.desk.state(owner.key).word


def main_state(world: World, owner: SessionOwner) -> Value:
    """What the main file says, or None without one."""
    fact = world.marks.read(owner.key).main
    return fact.document["state"] if isinstance(fact, MarkRead) else None


@pytest.mark.case("S119", "S129")
def test_arm_disarm_arm_reads_on_off_on() -> None:
    world = World()
    owner = world.owner()
    assert word(world, owner) is ArmWord.NONE
    words: list[ArmWord] = []
    for step in (arm, disarm, arm):
        step(world, owner)
        words.append(word(world, owner))
    assert words == [ArmWord.ARMED, ArmWord.DISARMED, ArmWord.ARMED]


def test_only_a_disarm_a_reset_and_an_arm_over_an_off_raise_the_generation() -> None:
    world = World()
    owner = world.owner()
    assert [arm(world, owner), arm(world, owner)] == [1, 1]
    assert [disarm(world, owner), disarm(world, owner)] == [2, 3]
    assert [arm(world, owner), arm(world, owner)] == [4, 4]
    assert world.desk.reset(owner) == Reset(removed=True)
    assert world.desk.state(owner.key).generation == 5
    assert arm(world, owner) == 5


def test_a_grant_reaches_as_far_as_its_scope_says() -> None:
    world = World()
    owner = world.owner()
    until_ns = world.clock.now().wall_ns + 5_000_000_000
    arm(world, owner, ConsentScope(senders=("agent:u1",), until_ns=until_ns))
    state = world.desk.state(owner.key)
    now_ns = world.clock.now().wall_ns
    assert decide_consent(state, REQUEST, now_ns=now_ns) == Granted(generation=1)
    stranger = replace(REQUEST, sender_agent="u2")
    assert isinstance(decide_consent(state, stranger, now_ns=now_ns), Denied)
    world.clock.advance(5)
    assert word(world, owner) is ArmWord.NONE


HOUR_NS = 3_600_000_000_000


@pytest.mark.parametrize("jump_ns", [-24 * HOUR_NS, 24 * HOUR_NS])
def test_a_wall_clock_that_is_set_neither_ends_nor_revives_a_grant(jump_ns: int) -> None:
    world = World()
    owner = world.owner()
    arm(world, owner, ConsentScope(until_ns=world.clock.now().wall_ns + HOUR_NS))
    world.clock.jump_wall_ns(jump_ns)
    assert word(world, owner) is ArmWord.ARMED
    until_ns = world.desk.state(owner.key).scope.until_ns
    assert until_ns == world.clock.now().wall_ns + HOUR_NS, "what is shown is in today's time"
    world.clock.advance_ns(HOUR_NS - 1)
    assert word(world, owner) is ArmWord.ARMED
    world.clock.advance_ns(1)
    assert word(world, owner) is ArmWord.NONE
    world.clock.jump_wall_ns(-jump_ns)
    assert word(world, owner) is ArmWord.NONE


def test_a_grant_runs_out_while_the_machine_sleeps() -> None:
    world = World()
    owner = world.owner()
    arm(world, owner, ConsentScope(until_ns=world.clock.now().wall_ns + HOUR_NS))
    world.clock.suspend_ns(HOUR_NS)
    assert word(world, owner) is ArmWord.NONE


@pytest.mark.case("S112")
@pytest.mark.parametrize(("inode", "mtime_ns"), [(0, 7), (0, 0), (7, 0)])
def test_a_mark_whose_socket_was_not_identified_arms_nobody(inode: int, mtime_ns: int) -> None:
    world = World()
    owner = world.owner(with_socket=True)
    assert owner.socket is not None
    unidentified = replace(owner, socket=replace(owner.socket, inode=inode, mtime_ns=mtime_ns))
    change = Change(owner=unidentified, cwd="/work", now=world.clock.now())
    world.marks.write(owner.key, armed_mark(NoMark(), change, EVERYTHING).to_document())
    assert word(world, owner) is ArmWord.NONE
    arm(world, owner)
    assert word(world, owner) is ArmWord.ARMED


@pytest.mark.case("S105")
def test_two_sessions_in_one_folder_share_no_consent() -> None:
    world = World()
    owner, other = world.owner(), world.owner()
    arm(world, owner)
    assert word(world, other) is ArmWord.NONE


@pytest.mark.case("SX19")
def test_every_spelling_of_the_folder_means_the_same_mark() -> None:
    world = World()
    owner = world.owner()
    world.desk.arm(owner, cwd="/link/to/work", scope=EVERYTHING)
    world.desk.disarm(owner, cwd="/home/dev/work")
    assert list(world.marks.keys()) == [owner.key]
    assert word(world, owner) is ArmWord.DISARMED
    world.desk.arm(owner, cwd="/home/dev/work/", scope=EVERYTHING)
    assert list(world.marks.keys()) == [owner.key]
    assert word(world, owner) is ArmWord.ARMED


def test_reading_takes_no_lock_and_changes_nothing() -> None:
    world = World()
    owner = world.owner()
    arm(world, owner)
    world.kernel.exit(owner.birth.pid)
    before = world.marks.read(owner.key)
    with world.locks.hold(LockKind.CONSENT, owner.key, wait_seconds=0):
        assert word(world, owner) is ArmWord.NONE
    assert world.marks.read(owner.key) == before


@pytest.mark.case("S106")
def test_a_removed_socket_unarms_and_what_was_said_stays() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    arm(world, owner)
    assert word(world, owner) is ArmWord.ARMED
    world.sockets.unlink(SOCKET)
    assert word(world, owner) is ArmWord.NONE
    assert world.desk.reap() == ()
    assert main_state(world, owner) == "on"
    assert word(world, owner) is ArmWord.NONE


@pytest.mark.case("S111")
def test_another_inode_under_the_right_mtime_unarms_and_what_was_said_stays() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    arm(world, owner)
    node = world.sockets.look(SOCKET)
    assert isinstance(node, SocketNode)
    world.sockets.put(replace(node, inode=node.inode + 1))
    assert word(world, owner) is ArmWord.NONE
    assert world.desk.reap() == ()
    assert main_state(world, owner) == "on"


def test_the_counter_outlives_an_on_whose_socket_died() -> None:
    """Else a message accepted before could find its generation again (SX15)."""
    world = World()
    owner = world.owner(with_socket=True)
    arm(world, owner)
    disarm(world, owner)
    generation = arm(world, owner)
    world.sockets.unlink(SOCKET)
    world.desk.reap()
    assert disarm(world, owner) == generation + 1


@pytest.mark.case("SX3")
def test_a_socket_bound_anew_on_the_same_inode_arms_nothing() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    arm(world, owner)
    world.sockets.rebind_same_inode(SOCKET)
    assert word(world, owner) is ArmWord.NONE


@pytest.mark.case("S109")
def test_a_mark_of_a_dead_process_is_unarmed_and_reaped() -> None:
    world = World()
    owner = world.owner()
    arm(world, owner)
    world.kernel.exit(owner.birth.pid)
    assert word(world, owner) is ArmWord.NONE
    assert world.desk.reap() == (owner.key,)
    assert list(world.marks.keys()) == []


@pytest.mark.case("S115")
def test_a_reused_pid_inherits_no_consent() -> None:
    world = World()
    owner = world.owner()
    arm(world, owner)
    world.kernel.spawn(owner.birth.pid)
    heir = world.probe.capture(owner.birth.pid, socket_path=None)
    assert word(world, owner) is ArmWord.NONE
    assert word(world, heir) is ArmWord.NONE
    assert world.desk.reap() == (owner.key,)
    assert list(world.marks.keys()) == []


@pytest.mark.case("S114")
def test_reaping_leaves_a_living_owners_mark() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    arm(world, owner)
    before = world.marks.read(owner.key)
    assert world.desk.reap() == ()
    assert world.marks.read(owner.key) == before
    assert word(world, owner) is ArmWord.ARMED


@pytest.mark.case("S106", "S109", "S111", "S115")
@pytest.mark.parametrize("change", ["arm", "disarm", "reset"])
def test_any_change_of_consent_reaps_what_died(change: str) -> None:
    """D7: reading removes nothing, and the next arm, disarm or reset of anybody does."""
    world = World()
    bound, ended, reused, living = (
        world.owner(with_socket=True),
        world.owner(),
        world.owner(),
        world.owner(),
    )
    for owner in (bound, ended, reused, living):
        arm(world, owner)
    node = world.sockets.look(SOCKET)
    assert isinstance(node, SocketNode)
    world.sockets.put(replace(node, inode=node.inode + 1))
    world.kernel.exit(ended.birth.pid)
    world.kernel.spawn(reused.birth.pid)
    match change:
        case "arm":
            arm(world, living)
        case "disarm":
            disarm(world, living)
        case _:
            world.desk.reset(living)
    assert set(world.marks.keys()) == {bound.key, living.key}
    assert main_state(world, bound) == "on"


def test_a_mark_that_cannot_be_removed_spoils_no_change_of_another() -> None:
    world = World()
    ended, living = world.owner(), world.owner()
    sticky = replace(world, marks=StickyMarks())
    arm(sticky, ended)
    sticky.kernel.exit(ended.birth.pid)
    assert arm(sticky, living) == 1
    assert sticky.desk.disarm(living, cwd="/work").barrier is Barrier.PASSED
    assert set(sticky.marks.keys()) == {ended.key, living.key}


class StickyMarks(MemoryConsentMarks):
    """No mark can be unlinked."""

    def remove(self, key: str) -> bool:
        raise StateUnwritable("read-only file system")


def test_an_off_outlives_its_socket_and_goes_with_its_process() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    disarm(world, owner)
    world.sockets.unlink(SOCKET)
    assert world.desk.reap() == ()
    assert word(world, owner) is ArmWord.DISARMED
    world.kernel.become_unreadable(owner.birth.pid)
    assert world.desk.reap() == ()
    assert word(world, owner) is ArmWord.UNVERIFIABLE
    world.kernel.exit(owner.birth.pid)
    assert world.desk.reap() == (owner.key,)


def test_a_mark_whose_lock_is_taken_is_reaped_another_time() -> None:
    world = World()
    owner = world.owner()
    arm(world, owner)
    world.kernel.exit(owner.birth.pid)
    with world.locks.hold(LockKind.CONSENT, owner.key, wait_seconds=0):
        assert world.desk.reap() == ()
    assert world.desk.reap() == (owner.key,)


@pytest.mark.case("S120", "S121", "S122")
@pytest.mark.parametrize(
    "document",
    [
        {},
        {"pid": 1},
        {"pid": 1, "armed": True},
        {"v": 1, "state": "on"},
    ],
)
def test_a_mark_without_sense_is_an_error_and_stays(document: ReadOnlyDocument) -> None:
    world = World()
    owner = world.owner()
    world.marks.write(owner.key, document)
    state = world.desk.state(owner.key)
    assert state.word is ArmWord.ERROR
    assert isinstance(decide_consent(state, REQUEST, now_ns=1), Denied)
    assert isinstance(decide_answer_consent(state), Denied)
    assert world.desk.reap() == ()
    with pytest.raises(StateUnreadable, match="cannot be trusted"):
        arm(world, owner)
    assert world.marks.read(owner.key).main == MarkRead(document=dict(document))


@pytest.mark.case("SX9")
@pytest.mark.parametrize("spoil", ["a FIFO", "over 64 KiB"])
def test_a_mark_that_is_no_plain_file_is_an_error_that_stays_and_blocks_nobody(
    tmp_path: Path, spoil: str
) -> None:
    world = World()
    owner = world.owner()
    marks = FileConsentMarks(str(tmp_path / "consent"), codec=JsonCodec())
    desk = ConsentDesk(
        marks=marks,
        locks=world.locks,
        clock=world.clock,
        probe=world.probe,
        default_of=nobody_opted_in,
        registered=nobody_registered,
    )
    desk.arm(owner, cwd="/work", scope=EVERYTHING)
    path = tmp_path / "consent" / f"{owner.key}.json"
    assert desk.state(owner.key).word is ArmWord.ARMED
    if spoil == "a FIFO":
        path.unlink()
        os.mkfifo(path)
    else:
        path.write_text(path.read_text() + " " * 65_536)
    state = desk.state(owner.key)
    assert state.word is ArmWord.ERROR
    assert isinstance(decide_consent(state, REQUEST, now_ns=1), Denied)
    assert isinstance(decide_answer_consent(state), Denied)
    assert desk.reap() == ()
    with pytest.raises(StateUnreadable):
        desk.arm(owner, cwd="/work", scope=EVERYTHING)
    assert path.exists()


@pytest.mark.case("S122", "S124")
@pytest.mark.parametrize("spoil", ["no instant", "two words", "two states"])
def test_a_whole_on_without_its_instant_or_with_two_states_is_an_error_and_stays(
    spoil: str,
) -> None:
    world = World()
    owner = world.owner()
    arm(world, owner)
    fact = world.marks.read(owner.key).main
    assert isinstance(fact, MarkRead)
    document = dict(fact.document)
    match spoil:
        case "no instant":
            del document["started_at_ns"]
        case "two words":
            document |= {"state": "on off"}
        case _:
            document |= {"state": ["on", "off"]}
    world.marks.write(owner.key, document)
    state = world.desk.state(owner.key)
    assert state.word is ArmWord.ERROR
    assert isinstance(decide_consent(state, REQUEST, now_ns=1), Denied)
    assert world.desk.reap() == ()
    assert world.marks.read(owner.key).main == MarkRead(document=document)


def test_a_disarm_replaces_what_cannot_be_read_and_a_reset_heals_it() -> None:
    world = World()
    owner = world.owner()
    world.marks.spoil(owner.key)
    generation = disarm(world, owner)
    assert generation >= world.clock.now().wall_ns
    assert word(world, owner) is ArmWord.DISARMED
    world.marks.spoil_off(owner.key)
    assert word(world, owner) is ArmWord.ERROR
    disarm(world, owner)
    assert word(world, owner) is ArmWord.ERROR
    world.clock.advance_ns(1)
    assert world.desk.reset(owner) == Reset(removed=True)
    assert word(world, owner) is ArmWord.NONE
    assert arm(world, owner) > generation
    assert word(world, owner) is ArmWord.ARMED


def test_a_disarm_of_an_unknown_owner_is_unverifiable_every_time_and_kept() -> None:
    world = World()
    owner = world.owner()
    world.kernel.become_unreadable(owner.birth.pid)
    disarm(world, owner)
    for _ in range(2):
        state = world.desk.state(owner.key)
        assert state.word is ArmWord.UNVERIFIABLE
        assert isinstance(decide_consent(state, REQUEST, now_ns=1), Denied)
        assert isinstance(decide_answer_consent(state), Denied)
    assert main_state(world, owner) == "off"


@pytest.mark.case("S127")
def test_an_arm_of_an_unknown_owner_is_unverifiable_and_grants_nothing() -> None:
    world = World()
    owner = world.owner()
    arm(world, owner)
    world.kernel.become_unreadable(owner.birth.pid)
    state = world.desk.state(owner.key)
    assert state.word is ArmWord.UNVERIFIABLE
    assert isinstance(decide_consent(state, REQUEST, now_ns=1), Denied)
    before = world.marks.read(owner.key)
    with pytest.raises(OwnerUnprovable) as caught:
        arm(world, owner)
    assert caught.value.exit_code == 7
    assert world.marks.read(owner.key) == before
    never = world.owner()
    world.kernel.become_unreadable(never.birth.pid)
    with pytest.raises(OwnerUnprovable):
        arm(world, never)
    assert world.marks.read(never.key).main == MarkMissing()
    assert isinstance(decide_consent(world.desk.state(never.key), REQUEST, now_ns=1), Denied)


def test_an_owner_that_is_not_proven_alive_writes_nothing() -> None:
    world = World()
    owner = world.owner()
    world.kernel.exit(owner.birth.pid)
    with pytest.raises(OwnerUnprovable):
        arm(world, owner)
    assert world.marks.read(owner.key).main == MarkMissing()


def test_a_reset_takes_back_an_unverifiable_mark_and_raises_the_counter() -> None:
    world = World()
    owner = world.owner()
    arm(world, owner)
    world.kernel.become_unreadable(owner.birth.pid)
    assert world.desk.reset(owner) == Reset(removed=True)
    state = world.desk.state(owner.key)
    assert (state.word, state.generation) == (ArmWord.NONE, 2)


@pytest.mark.case("S107")
def test_a_reset_says_once_that_it_took_something() -> None:
    world = World()
    owner = world.owner()
    assert world.desk.reset(owner) == Reset(removed=False)
    assert world.marks.read(owner.key).main == MarkMissing()
    disarm(world, owner)
    assert world.desk.reset(owner) == Reset(removed=True)
    assert world.desk.reset(owner) == Reset(removed=False)


class BlindingMarks(MemoryConsentMarks):
    """The moment a mark is written, something happens to the world."""

    def __init__(self, world: World, owner: SessionOwner, event: str) -> None:
        super().__init__()
        self._world, self._owner, self._event = world, owner, event

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        path = super().write(key, document)
        if self._event == "unreadable":
            self._world.kernel.become_unreadable(self._owner.birth.pid)
        if self._event == "disarmed":
            self.write_off(key, {**document, "state": "off"})
        return path


@pytest.mark.case("S134")
def test_an_on_that_reads_back_unverifiable_is_kept_and_reported() -> None:
    world = World()
    owner = world.owner()
    assert world.desk.arm(owner, cwd="/work", scope=EVERYTHING).word is ArmWord.ARMED
    blinding = replace(world, marks=BlindingMarks(world, owner, "unreadable"))
    with pytest.raises(OwnerUnprovable) as caught:
        arm(blinding, owner)
    assert caught.value.exit_code == 7
    assert main_state(blinding, owner) == "on"
    assert word(blinding, owner) is ArmWord.UNVERIFIABLE


def test_an_arm_that_a_disarm_overtook_does_not_claim_to_hold() -> None:
    world = World()
    owner = world.owner()
    racing = replace(world, marks=BlindingMarks(world, owner, "disarmed"))
    with pytest.raises(StateUnreadable, match="did not hold"):
        arm(racing, owner)
    assert word(racing, owner) is ArmWord.DISARMED


def test_a_disarm_by_key_takes_the_owner_from_the_mark() -> None:
    world = World()
    owner = world.owner()
    with pytest.raises(OwnerUnprovable):
        world.desk.disarm(owner.key, cwd="/")
    arm(world, owner)
    assert world.desk.disarm(owner.key, cwd="/").barrier is Barrier.PASSED
    assert word(world, owner) is ArmWord.DISARMED


class HeldByAnother(MemoryLocks):
    """Other processes hold these kinds for ever; waiting for them costs no real time."""

    def __init__(self, *kinds: LockKind) -> None:
        super().__init__()
        self.kinds = set(kinds)
        self.asked: list[tuple[LockKind, float]] = []

    def take(self, kind: LockKind, key: str, *, wait_seconds: float) -> MemoryHeldLock:
        self.asked.append((kind, wait_seconds))
        if kind in self.kinds:
            raise LockTimeout(f"{kind}-{key}.lock", wait_seconds)
        return super().take(kind, key, wait_seconds=wait_seconds)


def test_a_disarm_without_the_lock_goes_to_the_emergency_file() -> None:
    locks = HeldByAnother()
    world = World(locks=locks)
    owner = world.owner()
    arm(world, owner)
    locks.kinds = {LockKind.CONSENT}
    done = world.desk.disarm(owner, cwd="/work")
    assert done.path.endswith(f"{owner.key}.off.json")
    assert done.generation == 2
    assert (main_state(world, owner), word(world, owner)) == ("on", ArmWord.DISARMED)
    locks.kinds = set()
    assert arm(world, owner) == 3
    assert word(world, owner) is ArmWord.ARMED


def test_an_arm_that_read_before_an_emergency_off_never_outranks_it() -> None:
    """The writer that holds the lock read generation 1 and writes last; the OFF still counts."""
    locks = HeldByAnother()
    world = World(locks=locks)
    owner = world.owner()
    arm(world, owner)
    fact = world.marks.read(owner.key).main
    assert isinstance(fact, MarkRead)
    locks.kinds = {LockKind.CONSENT}
    world.desk.disarm(owner, cwd="/work")
    for generation in (1, 2):
        world.marks.write(owner.key, {**fact.document, "generation": generation})
        assert word(world, owner) is ArmWord.DISARMED


def test_the_barrier_waits_for_the_delivery_lock_with_the_consent_lock_dropped() -> None:
    locks = HeldByAnother(LockKind.DELIVERY)
    world = World(locks=locks)
    owner = world.owner()
    done = world.desk.disarm(owner, cwd="/work")
    assert done.barrier is Barrier.WRITE_UNDER_WAY
    assert locks.asked == [(LockKind.CONSENT, 2.0), (LockKind.DELIVERY, 3.0)]
    assert not locks.is_taken(LockKind.CONSENT, owner.key)
    assert word(world, owner) is ArmWord.DISARMED


def test_the_barrier_is_passed_once_the_writer_is_done() -> None:
    world = World()
    owner = world.owner()
    arm(world, owner)
    seen: list[ArmWord] = []
    begun, may_end = threading.Event(), threading.Event()

    def deliver() -> None:
        with world.locks.hold(LockKind.DELIVERY, owner.key, wait_seconds=5):
            begun.set()
            may_end.wait(5)
            seen.append(word(world, owner))

    delivery = threading.Thread(target=deliver)
    delivery.start()
    begun.wait(5)
    threading.Timer(0.02, may_end.set).start()
    done = world.desk.disarm(owner, cwd="/work")
    assert done.barrier is Barrier.PASSED
    assert seen == [ArmWord.DISARMED]
    delivery.join(5)


@pytest.mark.case("S125")
def test_the_first_connection_is_greeted_once() -> None:
    world = World()
    owner = world.owner()
    assert [world.desk.first_connect(owner) for _ in range(2)] == [True, True]
    arm(world, owner)
    assert [world.desk.first_connect(owner) for _ in range(2)] == [True, False]
    disarm(world, owner)
    assert world.desk.first_connect(owner) is False
    arm(world, owner)
    assert world.desk.first_connect(owner) is False
    world.desk.reset(owner)
    arm(world, owner)
    assert [world.desk.first_connect(owner) for _ in range(2)] == [True, False]


def test_a_first_connection_under_an_emergency_off_is_remembered_too() -> None:
    locks = HeldByAnother(LockKind.CONSENT)
    world = World(locks=locks)
    owner = world.owner()
    world.desk.disarm(owner, cwd="/work")
    locks.kinds = set()
    assert [world.desk.first_connect(owner) for _ in range(2)] == [True, False]
    assert word(world, owner) is ArmWord.DISARMED


@pytest.mark.case("SX17")
@pytest.mark.parametrize("full_at", ["write", "fsync"])
def test_a_full_disk_fails_the_arm_and_leaves_the_old_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full_at: str
) -> None:
    world = World()
    owner = world.owner()
    marks = FileConsentMarks(str(tmp_path / "consent"), codec=JsonCodec())
    desk = ConsentDesk(
        marks=marks,
        locks=world.locks,
        clock=world.clock,
        probe=world.probe,
        default_of=nobody_opted_in,
        registered=nobody_registered,
    )
    path = Path(desk.disarm(owner, cwd="/work").path)
    before = path.read_bytes()

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, full_at, full)
        with pytest.raises(StateUnwritable, match="No space left"):
            desk.arm(owner, cwd="/work", scope=EVERYTHING)
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    assert desk.state(owner.key).word is ArmWord.DISARMED


def test_every_mark_on_disk_names_its_owner_and_one_state() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    arm(world, owner)
    fact = world.marks.read(owner.key).main
    assert isinstance(fact, MarkRead)
    assert list(fact.document) == [
        "v",
        "state",
        "generation",
        "cwd",
        "owner",
        "started_at_ns",
        "boot_id",
        "boottime_ns",
    ]
    assert fact.document["state"] == MarkState.ON
