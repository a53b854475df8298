"""A process table that a test or a simulation scripts: what a kernel would say, without one."""

from tidings.ports.processes import (
    Place,
    ProcessBirth,
    ProcessFact,
    ProcessGone,
    ProcessSeen,
    ProcessUnreadable,
)
from tidings.ports.values import dataclass, field, replace

HOME = Place(
    machine_id="machine-1",
    host="host-1",
    boot_id="boot-1",
    pid_namespace="pid:[1]",
    mount_namespace="mnt:[1]",
    initial_pid_namespace=True,
    state_is_local=True,
)
"""The place of a table that was given none."""


@dataclass(slots=True)
class MemoryKernel:
    """The table itself, shared by everybody who looks at it from some process in some place."""

    boot_id: str = HOME.boot_id
    table: dict[int, ProcessFact] = field(default_factory=dict[int, ProcessFact])
    ticks: int = 100
    next_pid: int = 1000

    def spawn(
        self, pid: int | None = None, *, parent_pid: int = 1, uid: int = 1000, name: str = "agent"
    ) -> ProcessBirth:
        """Starts a process; a given ``pid`` that is taken is reused by the new one."""
        self.ticks += 1
        if pid is None:
            self.next_pid += 1
            pid = self.next_pid
        birth = ProcessBirth(pid=pid, uid=uid, start=f"linux:{self.boot_id}:{self.ticks}")
        self.table[pid] = ProcessSeen(
            birth=birth, parent_pid=parent_pid, state="S", tasks=1, name=name
        )
        return birth

    def exit(self, pid: int) -> None:
        """Ends a process and reaps it."""
        self.table.pop(pid, None)

    def become_zombie(self, pid: int, *, tasks: int = 1) -> None:
        """The process ends and waits to be reaped, ``tasks`` of its tasks still counted."""
        self.table[pid] = replace(self._living(pid), state="Z", tasks=tasks)

    def become_unreadable(self, pid: int, why: str = "permission denied") -> None:
        """From now on the kernel tells nothing of ``pid``."""
        self.table[pid] = ProcessUnreadable(pid=pid, why=why)

    def lose_start(self, pid: int) -> None:
        """The platform gives no start token for ``pid``."""
        fact = self._living(pid)
        self.table[pid] = replace(fact, birth=replace(fact.birth, start=""))

    def reboot(self, boot_id: str) -> None:
        """All processes end; ticks begin anew under another boot id."""
        self.boot_id = boot_id
        self.table.clear()
        self.ticks = 100

    def _living(self, pid: int) -> ProcessSeen:
        fact = self.table.get(pid)
        if not isinstance(fact, ProcessSeen):
            raise KeyError(f"no process {pid} that could be seen")
        return fact


class MemoryProcesses:
    """A view of a kernel from one process in one place (its boot id is always the kernel's)."""

    def __init__(
        self, kernel: MemoryKernel | None = None, *, pid: int | None = None, place: Place = HOME
    ) -> None:
        self.kernel = kernel or MemoryKernel()
        self._pid = self.kernel.spawn(name="tidings").pid if pid is None else pid
        self._place = place

    def look(self, pid: int) -> ProcessFact:
        """What the table says of ``pid``."""
        if pid <= 0:
            return ProcessUnreadable(pid=pid, why="no process has such a number")
        return self.kernel.table.get(pid) or ProcessGone(pid=pid)

    def self_pid(self) -> int:
        """The process this view belongs to."""
        return self._pid

    def place(self) -> Place:
        """The place this view looks from."""
        return replace(self._place, boot_id=self.kernel.boot_id)
