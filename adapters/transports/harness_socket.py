"""Writing one frame to a harness's own messaging socket (M 5.4, R 5.6, H 3)."""

import socket
import time
from collections.abc import Callable
from typing import Final

from tidings.adapters.transports.node_checks import is_clean, is_private, is_same
from tidings.adapters.transports.peers import peer_of
from tidings.adapters.transports.single_write import make_room, send_once
from tidings.adapters.wire.harness_frames import FrameFault, build_frame, frame_size
from tidings.ports.codec import Codec
from tidings.ports.errors import TidingsError
from tidings.ports.processes import Processes, ProcessSeen
from tidings.ports.sockets import SocketNode, SocketNodes
from tidings.ports.tokens import TransportName, WriteResult
from tidings.ports.transport import Endpoint, WriteFact
from tidings.ports.values import dataclass

LIMIT_BYTES: Final = 8192
WRITE_SECONDS: Final = 2.0
_DIAL_POLL_SECONDS: Final = 0.002
_ENDED_STATES: Final = frozenset("ZX")

PREWRITE_REFUSED: Final = WriteFact(result=WriteResult.ZERO, reason="provider-prewrite-refused")


class HarnessSocketTransport:
    """The harness socket. One dial, one send call, at most ``WRITE_SECONDS`` in all, no answer.

    ``FULL`` is a hand-off to the kernel and the harness, no proof that a model saw anything.
    """

    def __init__(
        self,
        *,
        processes: Processes,
        sockets: SocketNodes,
        codec: Codec,
        limit_bytes: int = LIMIT_BYTES,
    ) -> None:
        self._processes = processes
        self._sockets = sockets
        self._codec = codec
        self._limit_bytes = limit_bytes

    def name(self) -> TransportName:
        return TransportName.HARNESS_SOCKET

    def size(self, content: str) -> int:
        return frame_size(self._codec, content)

    def limit(self) -> int:
        return self._limit_bytes

    def write(self, endpoint: Endpoint, content: str, fence: Callable[[], bool]) -> WriteFact:
        """Builds first (a fault asks no fence), then proves the far end, then writes once.

        A ``fence`` that raises an error of the product has not said yes, so it is a no.
        """
        frame = build_frame(self._codec, endpoint, content, limit_bytes=self._limit_bytes)
        if isinstance(frame, FrameFault):
            return WriteFact(result=WriteResult.ZERO, reason=frame.reason)
        attempt = _Attempt(
            endpoint=endpoint,
            processes=self._processes,
            sockets=self._sockets,
            fence=fence,
            ends_at=time.monotonic() + WRITE_SECONDS,
        )
        return attempt.run(frame.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    """One write from first fence to last byte. Every step before the send is a known zero."""

    endpoint: Endpoint
    processes: Processes
    sockets: SocketNodes
    fence: Callable[[], bool]
    ends_at: float

    def run(self, data: bytes) -> WriteFact:
        if not (self._allowed() and self._node_is_unchanged()):
            return PREWRITE_REFUSED
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            if not (self._dialled(connection) and self._allowed()):
                return PREWRITE_REFUSED
            if not (self._peer_is_owner(connection) and self._node_is_unchanged()):
                return PREWRITE_REFUSED
            make_room(connection, len(data))
            if not self._allowed():
                return PREWRITE_REFUSED
            return send_once(connection, data)

    def _allowed(self) -> bool:
        try:
            allowed = self.fence()
        except TidingsError:
            return False
        return allowed and time.monotonic() < self.ends_at

    def _node_is_unchanged(self) -> bool:
        want = self.endpoint.node
        if not is_clean(want.path):
            return False
        fact = self.sockets.look(want.path)
        return isinstance(fact, SocketNode) and is_private(fact) and is_same(fact, want)

    def _dialled(self, connection: socket.socket) -> bool:
        """A full backlog answers EAGAIN at once, so a busy harness is asked again until the end."""
        connection.setblocking(False)
        while time.monotonic() < self.ends_at:
            try:
                connection.connect(self.endpoint.node.path)
            except BlockingIOError:
                time.sleep(_DIAL_POLL_SECONDS)
            except OSError:
                return False
            else:
                return True
        return False

    def _peer_is_owner(self, connection: socket.socket) -> bool:
        owner = self.endpoint.owner
        peer = peer_of(connection)
        if peer.pid != owner.pid or peer.pid <= 0 or peer.uid != owner.uid:
            return False
        fact = self.processes.look(owner.pid)
        return (
            isinstance(fact, ProcessSeen)
            and fact.birth == owner
            and bool(owner.start)
            and fact.state not in _ENDED_STATES
        )
