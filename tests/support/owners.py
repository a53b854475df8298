"""A small world of owners in memory: a kernel, socket nodes, a clock, and the services on them."""

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from tidings.adapters.memory.approvals import MemoryApprovals
from tidings.adapters.memory.clock import ManualClock
from tidings.adapters.memory.consent_marks import MemoryConsentMarks
from tidings.adapters.memory.locks import MemoryLocks
from tidings.adapters.memory.processes import HOME, MemoryKernel, MemoryProcesses
from tidings.adapters.memory.sessions import MemorySessionRecords
from tidings.adapters.memory.settings import MemorySettings
from tidings.adapters.memory.sockets import MemorySocketNodes
from tidings.domain.consent.defaults import ConsentDefaults
from tidings.domain.consent.desk import ConsentDesk
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.owner_document import registered_owner
from tidings.domain.identity.probe import OwnerProbe
from tidings.domain.sessions.roster import Roster
from tidings.domain.sessions.row import SessionRow
from tidings.ports.locks import Locks
from tidings.ports.processes import Place
from tidings.ports.tokens import Provider

SOCKET = "/run/cc-socks/9.sock"


def place_with(place: Place, **changes: Any) -> Place:
    """``place`` with some of its parts changed."""
    return Place(**{**asdict(place), **changes})


@dataclass
class World:
    """Everything that decides about an owner."""

    kernel: MemoryKernel = field(default_factory=MemoryKernel)
    place: Place = HOME
    sockets: MemorySocketNodes = field(default_factory=MemorySocketNodes)
    clock: ManualClock = field(default_factory=ManualClock)
    locks: Locks = field(default_factory=MemoryLocks)
    marks: MemoryConsentMarks = field(default_factory=MemoryConsentMarks)
    records: MemorySessionRecords = field(default_factory=MemorySessionRecords)
    settings: MemorySettings = field(default_factory=MemorySettings)
    approvals: MemoryApprovals = field(default_factory=MemoryApprovals)

    def __post_init__(self) -> None:
        self.processes = MemoryProcesses(self.kernel, place=self.place)
        self.probe = OwnerProbe(processes=self.processes, sockets=self.sockets)
        self.defaults = ConsentDefaults(
            records=self.records,
            settings=self.settings,
            approvals=self.approvals,
            probe=self.probe,
        )
        self.desk = ConsentDesk(
            marks=self.marks,
            locks=self.locks,
            clock=self.clock,
            probe=self.probe,
            default_of=self.defaults.of_session,
            registered=lambda key: registered_owner(self.records, key),
        )
        self.roster = Roster(
            records=self.records, locks=self.locks, clock=self.clock, probe=self.probe
        )

    def owner(self, *, with_socket: bool = False, path: str = SOCKET) -> SessionOwner:
        """A harness that runs now, with a bound socket if asked for."""
        pid = self.kernel.spawn().pid
        if with_socket:
            self.sockets.bind(path)
        return self.probe.capture(pid, socket_path=path if with_socket else None)

    def seen_from(self, **changes: str | bool) -> "World":
        """The same state folder, seen from a place that differs in ``changes``."""
        return replace(self, place=place_with(self.place, **changes))

    def register(
        self, owner: SessionOwner, *, label: str = "", cwd: str = "/work", session_id: str = ""
    ) -> SessionRow:
        """Registers a Claude session."""
        return self.roster.register(
            owner,
            provider=Provider.CLAUDE,
            session_id=session_id,
            label=label,
            cwd=cwd,
            name="",
        )
