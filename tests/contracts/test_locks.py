"""The lock suite, bound to the memory twin and both adapters on files."""

import os
import stat
from pathlib import Path

import pytest

from support.plants import Plant, plant, seen
from tidings.adapters.locks.fcntl_locks import FcntlLocks
from tidings.adapters.locks.portalocker_locks import PortalockerLocks
from tidings.adapters.memory.locks import MemoryLocks
from tidings.entrypoints.testing.locks_contract import KEY, LocksContract
from tidings.ports.errors import LockTimeout, StateUnreadable, StateUnwritable
from tidings.ports.locks import Locks
from tidings.ports.tokens import LockKind


class TestMemoryLocks(LocksContract):
    @pytest.fixture(autouse=True)
    def memory(self) -> None:
        self._locks = MemoryLocks()

    def make_locks(self) -> MemoryLocks:
        return self._locks

    def test_who_waits_for_itself_is_told_at_once(self) -> None:
        locks = self.make_locks()
        with (
            locks.hold(LockKind.CONSENT, KEY, wait_seconds=0),
            pytest.raises(LockTimeout),
            locks.hold(LockKind.CONSENT, KEY, wait_seconds=1e9),
        ):
            pytest.fail("held twice")


class OnFiles(LocksContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self._folder = tmp_path / "locks"

    def test_files_are_private_and_stay(self) -> None:
        locks = self.make_locks()
        assert not locks.is_taken(LockKind.REGISTRY, "")
        assert not self._folder.exists()
        with locks.hold(LockKind.REGISTRY, "", wait_seconds=0):
            pass
        with locks.hold(LockKind.CONSENT, KEY, wait_seconds=0):
            pass
        assert sorted(os.listdir(self._folder)) == [f"consent-{KEY}.lock", "registry.lock"]
        modes = {stat.S_IMODE(entry.stat().st_mode) for entry in self._folder.iterdir()}
        assert modes == {0o600}

    def test_a_key_cannot_leave_the_folder(self) -> None:
        with pytest.raises(ValueError, match="no lock key"):
            self.make_locks().is_taken(LockKind.CONSENT, "../x")

    @pytest.mark.timeout(10)
    @pytest.mark.parametrize("kind", Plant)
    def test_what_stands_in_a_locks_place_is_no_lock_and_not_waited_for(self, kind: Plant) -> None:
        self._folder.mkdir()
        plant(kind, self._folder / "registry.lock")
        before = seen(self._folder / "registry.lock")
        with pytest.raises(StateUnwritable, match="registry.lock"):
            self.make_locks().take(LockKind.REGISTRY, "", wait_seconds=9)
        with pytest.raises(StateUnreadable, match="registry.lock"):
            self.make_locks().is_taken(LockKind.REGISTRY, "")
        assert seen(self._folder / "registry.lock") == before

    def test_a_folder_that_leads_nowhere_is_no_folder_without_locks(self) -> None:
        self._folder.symlink_to("nowhere")
        with pytest.raises(StateUnreadable):
            self.make_locks().is_taken(LockKind.REGISTRY, "")


class TestFcntlLocks(OnFiles):
    def make_locks(self) -> FcntlLocks:
        return FcntlLocks(str(self._folder))

    def test_a_descriptor_passes_through_exec_only_when_asked(self) -> None:
        held = self.make_locks().take(LockKind.RESIDENT, KEY, wait_seconds=0)
        assert not os.get_inheritable(held.fileno())
        held.keep_through_exec()
        assert os.get_inheritable(held.fileno())
        held.release()
        assert held.fileno() == -1

    def test_a_lock_is_adopted_by_its_descriptor(self) -> None:
        locks = self.make_locks()
        held = locks.take(LockKind.RESIDENT, KEY, wait_seconds=0)
        held.keep_through_exec()
        adopted = locks.adopt(os.dup(held.fileno()))
        assert not os.get_inheritable(adopted.fileno())
        assert locks.is_taken(LockKind.RESIDENT, KEY)
        os.close(held.fileno())
        assert locks.is_taken(LockKind.RESIDENT, KEY)
        adopted.release()
        assert not locks.is_taken(LockKind.RESIDENT, KEY)

    def test_a_descriptor_without_the_lock_is_not_adopted(self) -> None:
        locks = self.make_locks()
        with locks.hold(LockKind.RESIDENT, KEY, wait_seconds=0):
            stranger = os.open(self._folder / f"resident-{KEY}.lock", os.O_RDWR)
            with pytest.raises(StateUnreadable, match="does not carry"):
                locks.adopt(stranger)
            os.close(stranger)


class TestPortalockerLocks(OnFiles):
    def make_locks(self) -> PortalockerLocks:
        return PortalockerLocks(str(self._folder))


class TestMixedLocks(OnFiles):
    """Every other lock is the other adapter's: the two must exclude each other."""

    @pytest.fixture(autouse=True)
    def turns(self) -> None:
        self._turn = 0

    def make_locks(self) -> Locks:
        self._turn += 1
        folder = str(self._folder)
        return FcntlLocks(folder) if self._turn % 2 else PortalockerLocks(folder)
