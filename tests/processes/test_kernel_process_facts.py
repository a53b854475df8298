"""Process facts from the real kernel (S 9.2, R 1.3)."""

import errno
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from support.waiting import until
from tidings.adapters.processes.darwin import seen_in
from tidings.adapters.processes.linux import LinuxProcesses, fact_of_error
from tidings.adapters.processes.mounts import is_local, type_at
from tidings.adapters.processes.native import native_processes
from tidings.adapters.sockets.lstat_nodes import LstatSocketNodes
from tidings.adapters.wire import kernel_facts
from tidings.adapters.wire.kernel_facts import FactMalformed, parse_stat
from tidings.domain.identity.probe import OwnerProbe
from tidings.ports.errors import OwnerUnprovable
from tidings.ports.processes import (
    ProcessBirth,
    ProcessFact,
    ProcessGone,
    ProcessSeen,
    ProcessUnreadable,
)
from tidings.ports.tokens import Verdict

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads the kernel files of Linux")
Stat = tuple[str, str, int, int, int]


def processes() -> LinuxProcesses:
    return LinuxProcesses(state_folder="/")


def probe() -> OwnerProbe:
    return OwnerProbe(processes=native_processes(state_folder="/"), sockets=LstatSocketNodes())


def seen(fact: ProcessFact) -> ProcessSeen:
    assert isinstance(fact, ProcessSeen), fact
    return fact


@linux_only
@pytest.mark.case("R1", "S31")
def test_a_birth_names_boot_ticks_and_owner() -> None:
    birth = seen(processes().look(os.getpid())).birth
    boot_id = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    kind, boot, ticks = birth.start.split(":")
    assert (kind, boot) == ("linux", boot_id)
    assert int(ticks) > 0
    assert birth.uid == os.getuid()
    assert seen(processes().look(os.getpid())).birth == birth


@linux_only
@pytest.mark.case("R11")
def test_the_parent_comes_with_the_same_look() -> None:
    fact = seen(processes().look(os.getpid()))
    assert (fact.birth.pid, fact.parent_pid) == (os.getpid(), os.getppid())


STAT = b"42 (%s) S 7 42 42 0 -1 4194560 1 0 0 0 3 1 0 0 20 0 5 0 987654 1 1"


@pytest.mark.case("R2")
@pytest.mark.parametrize("name", [b"plain", b") S 1 (", b"a ) R 2 (b", b"((", b"x y z", b")"])
def test_a_command_name_does_not_shift_the_fields(name: bytes) -> None:
    assert parse_stat(STAT % name) == (name.decode(), "S", 7, 5, 987654)


@pytest.mark.parametrize(
    "data", [b"", b"42 (a S 1", b"42 (a) S 1 2", STAT.replace(b"987654", b"x")]
)
def test_a_line_without_its_fields_is_malformed(data: bytes) -> None:
    with pytest.raises(FactMalformed):
        parse_stat(data % b"a" if b"%s" in data else data)


@pytest.mark.case("S17")
def test_this_process_is_alive() -> None:
    owner = probe().capture(os.getpid(), socket_path=None)
    assert probe().judge(owner).verdict is Verdict.ALIVE


@pytest.mark.case("S19")
def test_a_collected_child_is_dead_and_owns_nothing() -> None:
    child = subprocess.Popen(["sleep", "30"])
    owner = probe().capture(child.pid, socket_path=None)
    assert probe().judge(owner).verdict is Verdict.ALIVE
    child.kill()
    child.wait()
    assert probe().judge(owner).verdict is Verdict.DEAD
    with pytest.raises(OwnerUnprovable):
        probe().capture(child.pid, socket_path=None)


@pytest.mark.case("S22", "S24", "S26", "S27", "SX3")
def test_a_real_socket_beside_a_real_process() -> None:
    """Alive only while both are what was recorded."""
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="td-") as folder,
        subprocess.Popen(["sleep", "30"]) as child,
        socket.socket(socket.AF_UNIX) as bound,
    ):
        path = os.path.join(folder, "a.sock")
        bound.bind(path)
        owner = probe().capture(child.pid, socket_path=path)
        assert owner.socket is not None
        assert probe().judge(owner).verdict is Verdict.ALIVE
        reused = replace(owner.birth, start=owner.birth.start + "1")
        assert probe().judge(replace(owner, birth=reused)).verdict is Verdict.DEAD
        other = replace(owner.socket, inode=owner.socket.inode + 1)
        assert probe().judge(replace(owner, socket=other)).verdict is Verdict.DEAD
        os.utime(path, ns=(1, 1))
        assert probe().judge(owner).verdict is Verdict.DEAD
        kept_ns = owner.socket.mtime_ns
        os.utime(path, ns=(kept_ns, kept_ns))
        assert probe().judge(owner).verdict is Verdict.ALIVE
        os.rename(path, path + ".aside")
        assert probe().judge(owner).verdict is Verdict.DEAD
        os.rename(path + ".aside", path)
        assert probe().judge(owner).verdict is Verdict.ALIVE
        child.kill()
        child.wait()
        assert probe().judge(owner).verdict is Verdict.DEAD


@pytest.mark.case("S20")
def test_this_pid_with_another_start_is_dead() -> None:
    owner = probe().capture(os.getpid(), socket_path=None)
    other = ProcessBirth(pid=owner.birth.pid, uid=owner.birth.uid, start=owner.birth.start + "1")
    assert probe().judge(replace(owner, birth=other)).verdict is Verdict.DEAD


THREAD_LIVES_ON = """
import ctypes, platform, threading, time
threading.Thread(target=time.sleep, args=(30,)).start()
exit_of_this_thread_only = {"x86_64": 60, "aarch64": 93}[platform.machine()]
ctypes.CDLL(None).syscall(exit_of_this_thread_only, 0)
"""


@linux_only
def test_a_zombie_leader_with_a_working_thread_is_alive() -> None:
    child = subprocess.Popen([sys.executable, "-c", THREAD_LIVES_ON])
    try:
        owner = probe().capture(child.pid, socket_path=None)
        until(lambda: seen(processes().look(child.pid)).state == "Z", what="the leader has ended")
        assert seen(processes().look(child.pid)).tasks == 2
        assert probe().judge(owner).verdict is Verdict.ALIVE
        child.kill()
        until(
            lambda: probe().judge(owner).verdict is Verdict.DEAD,
            what="the last task has ended, though nobody collected it yet",
        )
    finally:
        child.kill()
        child.wait()


def failing(error: Exception) -> Callable[[int], tuple[Stat, int]]:
    def read_stat(pid: int) -> tuple[Stat, int]:
        raise error

    return read_stat


@linux_only
@pytest.mark.case("SX14")
def test_an_entry_that_vanishes_during_the_read_is_gone() -> None:
    vanishing = LinuxProcesses(
        state_folder="/", read_stat=failing(OSError(errno.ESRCH, "No such process"))
    )
    assert vanishing.look(os.getpid()) == ProcessGone(pid=os.getpid())


@linux_only
@pytest.mark.parametrize(
    "error",
    [PermissionError(errno.EACCES, "denied"), OSError(errno.EIO, "broken"), FactMalformed()],
)
def test_an_entry_that_cannot_be_read_is_inconclusive(error: Exception) -> None:
    blind = LinuxProcesses(state_folder="/", read_stat=failing(error))
    assert isinstance(blind.look(os.getpid()), ProcessUnreadable)


@linux_only
def test_an_entry_hidden_by_a_mount_option_is_not_gone() -> None:
    missing = FileNotFoundError(errno.ENOENT, "No such file")
    assert isinstance(fact_of_error(os.getpid(), missing), ProcessUnreadable)


@linux_only
def test_without_a_boot_id_there_is_no_start_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_facts, "boot_id", lambda: "")
    fact = seen(processes().look(os.getpid()))
    assert fact.birth == ProcessBirth(pid=os.getpid(), uid=os.getuid(), start="")


@linux_only
def test_the_place_says_where_pids_and_paths_mean_something() -> None:
    place = processes().place()
    assert place.pid_namespace == os.readlink("/proc/self/ns/pid")
    assert place.mount_namespace == os.readlink("/proc/self/ns/mnt")
    assert place.machine_id
    assert place.host == os.uname().nodename
    assert place.boot_id in seen(processes().look(os.getpid())).birth.start


MOUNTS = [
    b"22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw",
    b"23 22 0:20 / /proc rw - proc proc rw",
    b"30 22 0:30 / /home rw shared:2 master:1 - nfs4 server:/home rw",
    b"31 30 0:31 / /home/with\\040space rw - tmpfs tmpfs rw",
    b"32 22 0:32 / /over rw - ext4 /dev/vdb rw",
    b"33 32 0:33 / /over rw - fuse.sshfs host: rw",
    b"garbage",
]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "ext4"),
        ("/homeless", "ext4"),
        ("/home/x/state", "nfs4"),
        ("/home/with space/x", "tmpfs"),
        ("/over/x", "fuse.sshfs"),
        ("/proc", "proc"),
    ],
)
def test_the_nearest_mount_tells_the_file_system(path: str, kind: str) -> None:
    assert type_at(path, MOUNTS) == kind


def test_a_folder_of_unknown_ground_is_not_local(tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    assert not is_local("/", str(table))
    table.write_bytes(b"\n".join(MOUNTS))
    assert is_local("/", str(table))
    assert not is_local("/home/x", str(table))
    assert not is_local("/over", str(table))


def kinfo(*, state: int = 2, size: int = 648) -> bytes:
    """A ``kinfo_proc`` as Darwin's headers lay it out."""
    data = bytearray(size)
    data[0:8] = (1_790_000_000).to_bytes(8, "little")
    data[8:12] = (123_456).to_bytes(4, "little")
    data[36] = state
    data[243:249] = b"claude"
    data[420:424] = (501).to_bytes(4, "little")
    data[560:564] = (77).to_bytes(4, "little")
    return bytes(data)


def test_darwin_tells_the_birth_to_the_microsecond() -> None:
    fact = seen(seen_in(9, kinfo()))
    assert fact.birth == ProcessBirth(pid=9, uid=501, start="darwin:1790000000:123456")
    assert (fact.parent_pid, fact.state, fact.tasks, fact.name) == (77, "R", 1, "claude")


def test_a_darwin_zombie_has_one_task_and_an_unknown_layout_proves_nothing() -> None:
    zombie = seen(seen_in(9, kinfo(state=5)))
    assert (zombie.state, zombie.tasks) == ("Z", 1)
    assert isinstance(seen_in(9, kinfo()[:-1]), ProcessUnreadable)
