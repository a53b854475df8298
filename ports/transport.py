"""Ways to write one frame to a model's harness (M 5, D17)."""

from collections.abc import Callable
from typing import Protocol

from tidings.ports.processes import ProcessBirth
from tidings.ports.sockets import SocketNode
from tidings.ports.tokens import TransportName, WriteResult
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a harness listens, and whom we must meet there.

    ``token`` is never shown; without one no frame is built (M 5.4).
    ``session_id`` is the conversation the frame is meant for: the client drops any other (H 3).
    """

    node: SocketNode
    owner: ProcessBirth
    session_id: str
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteFact:
    """What happened to the bytes, with the reason token of the catalogue (empty when full)."""

    result: WriteResult
    reason: str


class Transport(Protocol):
    """Writes one frame, once."""

    def name(self) -> TransportName:
        """Which way this is."""
        ...

    def size(self, content: str) -> int:
        """Bytes that ``content`` would put on the wire, token of 48 bytes assumed (M 3.3)."""
        ...

    def limit(self) -> int:
        """The most bytes that may go on the wire at once."""
        ...

    def write(self, endpoint: Endpoint, content: str, fence: Callable[[], bool]) -> WriteFact:
        """At most one write of at most 2 s. ``fence`` is asked before the dial, after it and right
        before the write; a no at any of them is a known zero (M 5.4). Never raises."""
        ...


class LineTransport(Protocol):
    """Prints one line for the model: the standard output of a plugin's monitor (H 4)."""

    def write(self, line: str, fence: Callable[[], bool]) -> WriteFact:
        """At most one write of at most 2 s of ``line`` and its break. ``fence`` is asked right
        before it; a no is a known zero. ``line`` holds no line break. Never raises."""
        ...
