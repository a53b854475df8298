"""Process facts where neither of our two kernels runs, by psutil.

Its creation times move with the wall clock on several systems, so no start token is given: every
owner is *unknown* there, which lists sessions and arms none (S 3.5).
"""

import os
import platform

import psutil

from tidings.ports.processes import (
    Place,
    ProcessBirth,
    ProcessFact,
    ProcessGone,
    ProcessSeen,
    ProcessUnreadable,
)

_LETTERS = {psutil.STATUS_ZOMBIE: "Z", psutil.STATUS_DEAD: "X"}


class PortableProcesses:
    """Reads what psutil offers everywhere. It never sends a signal, not even number 0."""

    def look(self, pid: int) -> ProcessFact:
        """The facts of ``pid`` now."""
        if pid <= 0:
            return ProcessUnreadable(pid=pid, why="no process has such a number")
        try:
            return _seen(psutil.Process(pid))
        except psutil.NoSuchProcess:
            return ProcessGone(pid=pid)
        except (psutil.Error, OverflowError, OSError) as error:
            return ProcessUnreadable(pid=pid, why=f"it cannot be read: {type(error).__name__}")

    def self_pid(self) -> int:
        """This process."""
        return os.getpid()

    def place(self) -> Place:
        """Only the host is known, so nothing recorded elsewhere is ever judged."""
        return Place(
            machine_id=f"host:{platform.node()}",
            host=platform.node(),
            boot_id="",
            pid_namespace="",
            mount_namespace="",
            initial_pid_namespace=False,
            state_is_local=False,
        )


def _seen(process: psutil.Process) -> ProcessSeen:
    with process.oneshot():
        return ProcessSeen(
            birth=ProcessBirth(pid=process.pid, uid=_uid(process), start=""),
            parent_pid=process.ppid(),
            state=_LETTERS.get(process.status(), "S"),
            tasks=1,
            name=process.name(),
        )


def _uid(process: psutil.Process) -> int:
    return process.uids().real if hasattr(process, "uids") else 0
