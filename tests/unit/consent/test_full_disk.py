"""A withdrawal needs no room: on a full disk the OFF goes into the file of the ON (P3)."""

import errno
import os
from pathlib import Path
from typing import Final

import pytest

from support.opt_in import nobody_opted_in, nobody_registered
from support.owners import World
from tidings.adapters.files.consent_marks import FileConsentMarks
from tidings.adapters.memory.consent_marks import MemoryConsentMarks
from tidings.adapters.memory.locks import MemoryHeldLock, MemoryLocks
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.consent.arming import ArmWord, ConsentRequest, Denied, decide_answer_consent
from tidings.domain.consent.arming import decide_consent as decide
from tidings.domain.consent.desk import ConsentDesk
from tidings.domain.consent.scope import EVERYTHING, ConsentScope
from tidings.domain.identity.owner import SessionOwner
from tidings.ports.codec import ReadOnlyDocument
from tidings.ports.errors import LockTimeout, StateUnwritable
from tidings.ports.tokens import LockKind

WHOLE_WRITE: Final = os.write


class FullDisk:
    """Gives no room to a new file; ``room`` bytes (None: any) to one that was there."""

    def __init__(self, room: int | None = None) -> None:
        self._room = room

    def write(self, descriptor: int, data: memoryview) -> int:
        room = 0 if os.readlink(f"/proc/self/fd/{descriptor}").endswith(".tmp") else self._room
        if room is None:
            return WHOLE_WRITE(descriptor, data)
        if room == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._room = 0
        return WHOLE_WRITE(descriptor, data[:room])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "consent"


def desk_on(folder: Path, world: World) -> ConsentDesk:
    marks = FileConsentMarks(str(folder), codec=JsonCodec())
    return ConsentDesk(
        marks=marks,
        locks=world.locks,
        clock=world.clock,
        probe=world.probe,
        default_of=nobody_opted_in,
        registered=nobody_registered,
    )


def hears(desk: ConsentDesk, owner: SessionOwner) -> bool:
    """Whether a message or an answer would be let in."""
    state = desk.state(owner.key)
    asked = ConsentRequest(sender_agent="u1", sender_address="front", kind="message")
    denied = (decide(state, asked, now_ns=1), decide_answer_consent(state))
    return not all(isinstance(one, Denied) for one in denied)


def fill_disk(monkeypatch: pytest.MonkeyPatch, *, room: int | None = None) -> None:
    monkeypatch.setattr(os, "write", FullDisk(room).write)


needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="names open files")


@needs_proc
@pytest.mark.parametrize(
    "scope", [EVERYTHING, ConsentScope(senders=("agent:u1",) * 20)], ids=["wide", "long"]
)
def test_a_disarm_on_a_full_disk_holds(
    scope: ConsentScope, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World()
    owner, desk = world.owner(), desk_on(folder, world)
    armed = desk.arm(owner, cwd="/work", scope=scope)
    fill_disk(monkeypatch)
    done = desk.disarm(owner, cwd="/work")
    assert desk.state(owner.key).word is ArmWord.DISARMED
    assert done.generation == desk.state(owner.key).generation == armed.generation + 1
    assert os.listdir(folder) == [f"{owner.key}.json"]
    monkeypatch.undo()
    assert desk.arm(owner, cwd="/work", scope=scope).generation == armed.generation + 2


@needs_proc
@pytest.mark.parametrize("room", [0, 1, 40])
def test_a_disarm_that_finds_no_room_at_all_still_leaves_nobody_heard(
    room: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World()
    owner, desk = world.owner(), desk_on(folder, world)
    armed = desk.arm(owner, cwd="/work", scope=EVERYTHING)
    fill_disk(monkeypatch, room=room)
    with pytest.raises(StateUnwritable, match="No space left"):
        desk.disarm(owner, cwd="/work")
    assert not hears(desk, owner)
    monkeypatch.undo()
    assert desk.disarm(owner, cwd="/work").generation > armed.generation


@needs_proc
def test_an_arm_on_a_full_disk_changes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World()
    owner, desk = world.owner(), desk_on(folder, world)
    desk.arm(owner, cwd="/work", scope=EVERYTHING)
    desk.disarm(owner, cwd="/work")
    fill_disk(monkeypatch)
    with pytest.raises(StateUnwritable):
        desk.arm(owner, cwd="/work", scope=EVERYTHING)
    assert desk.state(owner.key).word is ArmWord.DISARMED


class FullMarks(MemoryConsentMarks):
    """No new file finds room."""

    is_full = False

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        self._require_room()
        return super().write(key, document)

    def write_off(self, key: str, document: ReadOnlyDocument) -> str:
        self._require_room()
        return super().write_off(key, document)

    def _require_room(self) -> None:
        if self.is_full:
            raise StateUnwritable("no space left")


class LostLocks(MemoryLocks):
    """The consent lock cannot be had: ``why`` is raised instead."""

    why: LockTimeout | StateUnwritable | None = None

    def take(self, kind: LockKind, key: str, *, wait_seconds: float) -> MemoryHeldLock:
        if kind is LockKind.CONSENT and self.why is not None:
            raise self.why
        return super().take(kind, key, wait_seconds=wait_seconds)


def test_without_the_lock_nothing_is_written_over_what_somebody_may_replace() -> None:
    marks, locks = FullMarks(), LostLocks()
    world = World(marks=marks, locks=locks)
    owner = world.owner()
    world.desk.arm(owner, cwd="/work", scope=EVERYTHING)
    before = marks.read(owner.key)
    marks.is_full, locks.why = True, LockTimeout("consent", 2)
    with pytest.raises(StateUnwritable):
        world.desk.disarm(owner, cwd="/work")
    assert marks.read(owner.key) == before


def test_a_lock_that_cannot_be_opened_stops_no_withdrawal() -> None:
    locks = LostLocks()
    world = World(locks=locks)
    owner = world.owner()
    armed = world.desk.arm(owner, cwd="/work", scope=EVERYTHING)
    locks.why = StateUnwritable("cannot open the lock")
    assert world.desk.disarm(owner, cwd="/work").generation == armed.generation + 1
    assert world.desk.state(owner.key).word is ArmWord.DISARMED
