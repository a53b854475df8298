"""The in-memory twin of the whole application: every port from ``adapters.memory``."""

from copy import copy

from tidings.adapters.clocks.system import SystemIds
from tidings.adapters.memory.approvals import MemoryApprovals
from tidings.adapters.memory.clock import ManualClock
from tidings.adapters.memory.consent_marks import MemoryConsentMarks
from tidings.adapters.memory.doorbell import MemoryDoorbell
from tidings.adapters.memory.harness_status import MemoryHarnessStatus
from tidings.adapters.memory.inbound import MemoryHarnessInbound
from tidings.adapters.memory.journal import MemoryJournal
from tidings.adapters.memory.locks import MemoryLocks
from tidings.adapters.memory.messages import MemoryMessageStore
from tidings.adapters.memory.presence import MemoryHarnessPresence
from tidings.adapters.memory.processes import MemoryProcesses
from tidings.adapters.memory.sessions import MemorySessionRecords
from tidings.adapters.memory.settings import MemorySettings
from tidings.adapters.memory.sockets import MemorySocketNodes
from tidings.adapters.memory.spool import MemoryEventSpool
from tidings.adapters.memory.transcripts import MemoryTranscripts
from tidings.adapters.memory.transport import MemoryTransport
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.application import Application
from tidings.ports.ids import Ids


class MemoryPorts:
    """One world in memory. A test moves its clock, spawns its processes, publishes its statuses."""

    def __init__(self) -> None:
        self.codec = JsonCodec()
        self.clock = ManualClock()
        self.ids: Ids = SystemIds()
        self.processes = MemoryProcesses()
        self.sockets = MemorySocketNodes()
        self.records = MemorySessionRecords(clock=self.clock)
        self.marks = MemoryConsentMarks()
        self.settings = MemorySettings()
        self.approvals = MemoryApprovals()
        self.locks = MemoryLocks()
        self.spool = MemoryEventSpool()
        self.doorbell = MemoryDoorbell()
        self.journal = MemoryJournal()
        self.status = MemoryHarnessStatus(self.clock)
        self.presence = MemoryHarnessPresence()
        self.inbound = MemoryHarnessInbound()
        self.transcripts = MemoryTranscripts()
        self.store = MemoryMessageStore()
        self.transport = MemoryTransport(codec=self.codec)

    def another_process(self) -> "MemoryPorts":
        """The same world, as a new process of its own sees it; what happens in one shows in both."""
        other = copy(self)
        other.processes = MemoryProcesses(self.processes.kernel)
        return other


def memory_application() -> Application:
    """An application in a world of its own."""
    return Application(MemoryPorts())
