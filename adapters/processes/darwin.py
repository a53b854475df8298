"""Process facts from the kernel on macOS (sysctl(3), R 1.3 and Appendix C).

There are no namespaces and the start token has no boot id, but the boot session does.
"""

import ctypes
import os

from tidings.adapters.wire import kernel_facts
from tidings.ports.processes import (
    Place,
    ProcessBirth,
    ProcessFact,
    ProcessGone,
    ProcessSeen,
    ProcessUnreadable,
)

_MNT_LOCAL = 0x1000
_STATFS_BYTES = 4096
_STATFS_FLAGS = slice(64, 68)


class DarwinProcesses:
    """Reads the process table by sysctl."""

    def __init__(self, *, state_folder: str) -> None:
        self._place = Place(
            machine_id=kernel_facts.machine_id(),
            host=os.uname().nodename,
            boot_id=_boot_session(),
            pid_namespace=kernel_facts.namespace("pid"),
            mount_namespace=kernel_facts.namespace("mnt"),
            initial_pid_namespace=True,
            state_is_local=_is_local(state_folder),
        )

    def look(self, pid: int) -> ProcessFact:
        """The facts of ``pid`` now. The kernel answers an unknown pid with success and no bytes."""
        if pid <= 0:
            return ProcessUnreadable(pid=pid, why="no process has such a number")
        if pid >= 2**31:
            return ProcessGone(pid=pid)
        try:
            data = kernel_facts.read_kinfo(pid)
        except OSError as error:
            return ProcessUnreadable(pid=pid, why=f"the kernel refuses: {error.strerror}")
        return ProcessGone(pid=pid) if data is None else seen_in(pid, data)

    def self_pid(self) -> int:
        """This process."""
        return os.getpid()

    def place(self) -> Place:
        """This process's place, read once."""
        return self._place


def seen_in(pid: int, data: bytes) -> ProcessFact:
    """The facts in one ``kinfo_proc``. A zombie there is a whole process, so it has one task."""
    try:
        name, state, parent_pid, uid, seconds, micros = kernel_facts.parse_kinfo(data)
    except kernel_facts.FactMalformed as wrong:
        return ProcessUnreadable(pid=pid, why=str(wrong))
    return ProcessSeen(
        birth=ProcessBirth(pid=pid, uid=uid, start=f"darwin:{seconds}:{micros}"),
        parent_pid=parent_pid,
        state=state,
        tasks=1,
        name=name,
    )


def _boot_session() -> str:
    system = ctypes.CDLL(None)
    room = ctypes.create_string_buffer(64)
    size = ctypes.c_size_t(len(room))
    failed = system.sysctlbyname(b"kern.bootsessionuuid", room, ctypes.byref(size), None, 0)
    return "" if failed else room.value.decode("ascii", "replace")


def _is_local(folder: str) -> bool:
    """statfs(2) of the nearest folder that exists; False on any doubt."""
    try:
        os.stat(folder)
    except FileNotFoundError:
        above = os.path.dirname(folder)
        return above != folder and _is_local(above)
    except OSError:
        return False
    system = ctypes.CDLL(None)
    statfs = getattr(system, "statfs$INODE64", None) or system.statfs
    room = ctypes.create_string_buffer(_STATFS_BYTES)
    if statfs(os.fsencode(folder), room) != 0:
        return False
    return bool(int.from_bytes(room.raw[_STATFS_FLAGS], "little") & _MNT_LOCAL)
