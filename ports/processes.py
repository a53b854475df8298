"""What the kernel says of processes, and of the place this one runs in (R 1.3, D3)."""

from typing import Protocol, TypeAlias

from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessBirth:
    """A process as the kernel knows it. Equal in all three fields, or another process.

    ``start`` is an opaque token, 1 to 160 bytes without CR, LF, NUL: ``linux:<boot id>:<ticks>``
    or ``darwin:<sec>:<usec>``. An empty start means that the platform gave none.
    """

    pid: int
    uid: int
    start: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessSeen:
    """The kernel showed the process. ``state`` is its letter (``Z`` zombie, ``X`` dead)."""

    birth: ProcessBirth
    parent_pid: int
    state: str
    tasks: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessGone:
    """The kernel itself said that no such process exists (ESRCH), and nothing less."""

    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessUnreadable:
    """No answer either way: permission, a malformed entry, a platform without proof."""

    pid: int
    why: str


ProcessFact: TypeAlias = ProcessSeen | ProcessGone | ProcessUnreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where pids and paths mean something: host, boot and namespaces. Empty text is "unknown".

    ``initial_pid_namespace`` and ``state_is_local`` gate the rule that an earlier boot proves
    death (D3).
    """

    machine_id: str
    host: str
    boot_id: str
    pid_namespace: str
    mount_namespace: str
    initial_pid_namespace: bool
    state_is_local: bool


class Processes(Protocol):
    """Reads process facts; never signals anything, and never probes Windows with signal 0."""

    def look(self, pid: int) -> ProcessFact:
        """The facts of ``pid`` (> 0) at this moment."""
        ...

    def self_pid(self) -> int:
        """This process."""
        ...

    def place(self) -> Place:
        """This process's place; constant for its life."""
        ...
