"""One machine in memory with its misfortunes: a disk that fills up, a writer killed in mid-write."""

from collections.abc import Callable
from copy import copy
from typing import TypeVar

from tidings.adapters.memory.clock import SeededIds
from tidings.adapters.memory.doorbell import MemoryDoorbell
from tidings.adapters.memory.messages import MemoryMessageStore
from tidings.adapters.memory.processes import HOME, MemoryKernel, MemoryProcesses
from tidings.adapters.memory.transport import MemoryTransport, WrittenFrame
from tidings.entrypoints.application import Application
from tidings.entrypoints.twin import MemoryPorts
from tidings.ports.codec import Codec
from tidings.ports.errors import StateUnwritable
from tidings.ports.messages import StoreTransaction
from tidings.ports.processes import Place, ProcessBirth
from tidings.ports.tokens import Ring
from tidings.ports.transport import Endpoint, WriteFact

T = TypeVar("T")


class ResidentKilled(Exception):
    """SIGKILL in the middle of a write: nothing after it runs, and what is stored stays."""


class FillingStore(MemoryMessageStore):
    """The store in memory, on a disk that can be full."""

    is_full = False

    def transact(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float) -> T:
        """As the store does it, or ``StateUnwritable`` with nothing changed."""
        if self.is_full:
            raise StateUnwritable("the disk is full")
        return super().transact(work, wait_seconds=wait_seconds)


class WitnessTransport(MemoryTransport):
    """The transport in memory, with a witness of every first byte.

    ``at_first_byte`` is called when a write is certain; ``before_write`` runs once between the
    hand-off mark and the last look; ``kill_writer`` lets the bytes go and kills who wrote them.
    ``begun`` names the owner of the socket for every write that came to its first byte.
    """

    def __init__(self, *, codec: Codec) -> None:
        super().__init__(codec=codec)
        self.at_first_byte: Callable[[WrittenFrame], None] = _ignore
        self.before_write: Callable[[], None] = _nothing
        self.begun: list[ProcessBirth] = []
        self.kill_writer = False

    def write(self, endpoint: Endpoint, content: str, fence: Callable[[], bool]) -> WriteFact:
        """As the transport does it, after what was to happen before the next write."""
        act, self.before_write = self.before_write, _nothing
        act()
        return super().write(endpoint, content, fence)

    def _send(self, frame: WrittenFrame) -> WriteFact:
        self.begun.append(frame.endpoint.owner)
        self.at_first_byte(frame)
        fact = super()._send(frame)
        if self.kill_writer:
            self.kill_writer = False
            raise ResidentKilled
        return fact


class LossyDoorbell(MemoryDoorbell):
    """Doorbells whose ring can get lost on its way; whoever rings does not learn of it."""

    def __init__(self) -> None:
        super().__init__()
        self.loses_next: set[str] = set()

    def ring(self, key: str, *, why: Ring = Ring.LETTER) -> bool:
        """As the bell does it, or nothing at all, with the same answer."""
        if key in self.loses_next:
            self.loses_next.remove(key)
            return True
        return super().ring(key, why=why)


class Machine(MemoryPorts):
    """Every port in memory, the kernel's table among them."""

    def __init__(self) -> None:
        super().__init__()
        self.ids = SeededIds()
        self.disk = FillingStore()
        self.store = self.disk
        self.bells = LossyDoorbell()
        self.doorbell = self.bells
        self.witness = WitnessTransport(codec=self.codec)
        self.transport = self.witness

    @property
    def kernel(self) -> MemoryKernel:
        """The process table."""
        return self.processes.kernel

    def seen_by(self, pid: int, *, place: Place = HOME) -> Application:
        """The application as a process ``pid`` of the same machine runs it."""
        ports = copy(self)
        ports.processes = MemoryProcesses(self.kernel, pid=pid, place=place)
        return Application(ports)


def _nothing() -> None:
    """Nothing happens before the next write."""


def _ignore(_frame: WrittenFrame) -> None:
    """Nobody watches."""
