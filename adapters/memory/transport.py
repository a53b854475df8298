"""A transport in memory: same frames, same fences, and a far end that a test can script."""

import threading
from collections import deque
from collections.abc import Callable

from tidings.adapters.wire.harness_frames import FrameFault, build_frame, frame_size
from tidings.ports.codec import Codec
from tidings.ports.errors import TidingsError
from tidings.ports.processes import ProcessBirth
from tidings.ports.sockets import SocketNode
from tidings.ports.tokens import TransportName, WriteResult
from tidings.ports.transport import Endpoint, WriteFact
from tidings.ports.values import dataclass

_STALL_SECONDS = 2.0
_REFUSED = WriteFact(result=WriteResult.ZERO, reason="provider-prewrite-refused")
_FACTS = {
    WriteResult.FULL: WriteFact(result=WriteResult.FULL, reason=""),
    WriteResult.ZERO: WriteFact(result=WriteResult.ZERO, reason="provider-write-zero"),
    WriteResult.PARTIAL: WriteFact(result=WriteResult.PARTIAL, reason="provider-write-partial"),
    WriteResult.UNKNOWN: WriteFact(
        result=WriteResult.UNKNOWN, reason="provider-handoff-outcome-unknown"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFrame:
    """What arrived in full at a listening harness."""

    endpoint: Endpoint
    content: str


class MemoryTransport:
    """Harnesses are put up with ``listen``; a write to anything else is refused before any byte.

    ``script`` says how the next writes end (``FULL`` when nothing is scripted); ``stall`` makes
    the next write hang, for at most the two seconds that a transport may take.
    """

    def __init__(self, *, codec: Codec, limit_bytes: int = 8192) -> None:
        self.written: list[WrittenFrame] = []
        self.writes_begun = 0
        self._codec = codec
        self._limit_bytes = limit_bytes
        self._listeners: dict[str, tuple[SocketNode, ProcessBirth]] = {}
        self._results: deque[WriteResult] = deque()
        self._stall: threading.Event | None = None

    def listen(self, node: SocketNode, owner: ProcessBirth) -> None:
        """From now on ``owner`` listens at ``node``, in place of whoever did at that path."""
        self._listeners[node.path] = (node, owner)

    def vanish(self, path: str) -> None:
        """Nobody listens at ``path`` any more."""
        self._listeners.pop(path, None)

    def script(self, *results: WriteResult) -> None:
        """How the next writes end, in order."""
        self._results.extend(results)

    def stall(self) -> threading.Event:
        """The next write waits, after its last fence, until the event is set (2 s at most)."""
        self._stall = threading.Event()
        return self._stall

    def name(self) -> TransportName:
        return TransportName.HARNESS_SOCKET

    def size(self, content: str) -> int:
        return frame_size(self._codec, content)

    def limit(self) -> int:
        return self._limit_bytes

    def write(self, endpoint: Endpoint, content: str, fence: Callable[[], bool]) -> WriteFact:
        frame = build_frame(self._codec, endpoint, content, limit_bytes=self._limit_bytes)
        if isinstance(frame, FrameFault):
            return WriteFact(result=WriteResult.ZERO, reason=frame.reason)
        if not (_allows(fence) and self._is_met(endpoint)):
            return _REFUSED
        if not (_allows(fence) and self._is_met(endpoint) and _allows(fence)):
            return _REFUSED
        return self._send(WrittenFrame(endpoint=endpoint, content=content))

    def _is_met(self, endpoint: Endpoint) -> bool:
        return self._listeners.get(endpoint.node.path) == (endpoint.node, endpoint.owner)

    def _send(self, frame: WrittenFrame) -> WriteFact:
        self.writes_begun += 1
        stalled, self._stall = self._stall, None
        if stalled is not None and not stalled.wait(_STALL_SECONDS):
            return _FACTS[WriteResult.ZERO]
        result = self._results.popleft() if self._results else WriteResult.FULL
        if result is WriteResult.FULL:
            self.written.append(frame)
        return _FACTS[result]


def _allows(fence: Callable[[], bool]) -> bool:
    try:
        return fence()
    except TidingsError:
        return False


class MemoryLineTransport:
    """A monitor's output in memory. ``lines`` are those that were printed whole."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._results: deque[WriteResult] = deque()

    def script(self, *results: WriteResult) -> None:
        """How the next writes end, in order."""
        self._results.extend(results)

    def write(self, line: str, fence: Callable[[], bool]) -> WriteFact:
        if not _allows(fence):
            return _REFUSED
        result = self._results.popleft() if self._results else WriteResult.FULL
        if result is WriteResult.FULL:
            self.lines.append(line)
        return _FACTS[result]
