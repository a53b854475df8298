"""Process facts from the kernel's files on Linux (proc(5), R 1.3, D3)."""

import errno
import os
from collections.abc import Callable

from tidings.adapters.processes.mounts import is_local
from tidings.adapters.wire import kernel_facts
from tidings.ports.processes import (
    Place,
    ProcessBirth,
    ProcessFact,
    ProcessGone,
    ProcessSeen,
    ProcessUnreadable,
)

INITIAL_PID_NAMESPACE = "pid:[4026531836]"
"""PROC_PID_INIT_INO of the kernel's include/linux/proc_ns.h, the same on every machine."""

Stat = tuple[str, str, int, int, int]


class LinuxProcesses:
    """Reads ``/proc``. ``state_folder`` is where the records live: whether that is a local disk
    decides if an earlier boot proves anything."""

    def __init__(
        self,
        *,
        state_folder: str,
        read_stat: Callable[[int], tuple[Stat, int]] = kernel_facts.read_stat,
    ) -> None:
        self._boot_id = kernel_facts.boot_id()
        self._place = _place(self._boot_id, state_folder)
        self._read_stat = read_stat

    def look(self, pid: int) -> ProcessFact:
        """The facts of ``pid`` now; *gone* only on the kernel's own ESRCH."""
        if pid <= 0:
            return ProcessUnreadable(pid=pid, why="no process has such a number")
        try:
            stat, uid = self._read_stat(pid)
        except kernel_facts.FactMalformed as wrong:
            return ProcessUnreadable(pid=pid, why=str(wrong))
        except OSError as error:
            return fact_of_error(pid, error)
        return self._seen(pid, stat, uid)

    def self_pid(self) -> int:
        """This process."""
        return os.getpid()

    def place(self) -> Place:
        """This process's place, read once."""
        return self._place

    def _seen(self, pid: int, stat: Stat, uid: int) -> ProcessSeen:
        name, state, parent_pid, tasks, ticks = stat
        start = kernel_facts.linux_start(self._boot_id, ticks) if self._boot_id else ""
        return ProcessSeen(
            birth=ProcessBirth(pid=pid, uid=uid, start=start),
            parent_pid=parent_pid,
            state=state,
            tasks=tasks,
            name=name,
        )


def fact_of_error(pid: int, error: OSError) -> ProcessFact:
    """What a failed reading proves: ESRCH, that it is gone; a missing file, nothing yet, since a
    mount option may hide others' processes. Then the kernel is asked for the number itself."""
    if error.errno == errno.ESRCH:
        return ProcessGone(pid=pid)
    if error.errno == errno.ENOENT:
        return _asked_by_number(pid)
    return ProcessUnreadable(pid=pid, why=f"its entry cannot be read: {error.strerror}")


def _asked_by_number(pid: int) -> ProcessFact:
    """Signal 0 sends nothing: the kernel only looks whether there is a process to send it to
    (kill(2)). A number beyond every kernel's range names no process."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return ProcessGone(pid=pid)
    except OSError as error:
        return ProcessUnreadable(pid=pid, why=f"it is hidden: {error.strerror}")
    return ProcessUnreadable(pid=pid, why="it is there, but hidden from us")


def _place(boot_id: str, state_folder: str) -> Place:
    pid_namespace = kernel_facts.namespace("pid")
    return Place(
        machine_id=kernel_facts.machine_id(),
        host=os.uname().nodename,
        boot_id=boot_id,
        pid_namespace=pid_namespace,
        mount_namespace=kernel_facts.namespace("mnt"),
        initial_pid_namespace=pid_namespace == INITIAL_PID_NAMESPACE,
        state_is_local=is_local(state_folder),
    )
