"""Ports that somebody else chose: the container's, or an embedder's own."""

from tidings.ports.approvals import Approvals
from tidings.ports.clock import Clock
from tidings.ports.codec import Codec
from tidings.ports.consent import ConsentMarks
from tidings.ports.doorbell import Doorbell
from tidings.ports.harness_status import HarnessStatus
from tidings.ports.ids import Ids
from tidings.ports.inbound import HarnessInbound
from tidings.ports.journal import Journal
from tidings.ports.locks import Locks
from tidings.ports.messages import MessageStore
from tidings.ports.presence import HarnessPresence
from tidings.ports.processes import Processes
from tidings.ports.sessions import SessionRecords
from tidings.ports.settings import Settings
from tidings.ports.sockets import SocketNodes
from tidings.ports.spool import EventSpool
from tidings.ports.transcripts import Transcripts
from tidings.ports.transport import Transport
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenPorts:
    """One of each, as ``Ports`` asks for."""

    codec: Codec
    clock: Clock
    ids: Ids
    processes: Processes
    sockets: SocketNodes
    records: SessionRecords
    marks: ConsentMarks
    settings: Settings
    approvals: Approvals
    locks: Locks
    spool: EventSpool
    doorbell: Doorbell
    journal: Journal
    status: HarnessStatus
    presence: HarnessPresence
    inbound: HarnessInbound
    transcripts: Transcripts
    store: MessageStore
    transport: Transport
