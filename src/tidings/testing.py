"""For tests of tools that embed Tidings: the memory twin, the manual clock, the contract suites.

A suite is a base class: subclass it, give it your adapter, let pytest collect it::

    from tidings.testing import ClockContract

    class TestMyClock(ClockContract):
        def make_clock(self) -> Clock: ...

Importing this module needs no pytest; running a suite does.
"""

from tidings.adapters.memory.clock import ManualClock, SeededIds
from tidings.adapters.memory.processes import MemoryKernel, MemoryProcesses
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.testing.clock_contract import ClockContract
from tidings.entrypoints.testing.codec_contract import CodecContract
from tidings.entrypoints.testing.consent_contract import ConsentMarksContract
from tidings.entrypoints.testing.doorbell_contract import DoorbellContract
from tidings.entrypoints.testing.harness_status_contract import HarnessStatusContract
from tidings.entrypoints.testing.history_contract import HistoryContract
from tidings.entrypoints.testing.ids_contract import IdsContract
from tidings.entrypoints.testing.journal_contract import JournalContract
from tidings.entrypoints.testing.locks_contract import LocksContract
from tidings.entrypoints.testing.messages_contract import MessageStoreContract
from tidings.entrypoints.testing.presence_contract import HarnessPresenceContract
from tidings.entrypoints.testing.processes_contract import ProcessesContract
from tidings.entrypoints.testing.replies_contract import ReplySocketsContract
from tidings.entrypoints.testing.sessions_contract import SessionRecordsContract
from tidings.entrypoints.testing.sockets_contract import SocketNodesContract
from tidings.entrypoints.testing.spool_contract import EventSpoolContract
from tidings.entrypoints.testing.transcripts_contract import TranscriptsContract
from tidings.entrypoints.testing.transport_contract import TransportContract
from tidings.entrypoints.twin import MemoryPorts, memory_application

__all__ = [
    "ClockContract",
    "CodecContract",
    "ConsentMarksContract",
    "DoorbellContract",
    "EventSpoolContract",
    "HarnessPresenceContract",
    "HarnessStatusContract",
    "HistoryContract",
    "IdsContract",
    "JournalContract",
    "LocksContract",
    "ManualClock",
    "MemoryKernel",
    "MemoryPorts",
    "MemoryProcesses",
    "MessageStoreContract",
    "ProcessesContract",
    "ReplySocketsContract",
    "SeededIds",
    "SessionRecordsContract",
    "SimulatedHarness",
    "SocketNodesContract",
    "TranscriptsContract",
    "TransportContract",
    "memory_application",
]
