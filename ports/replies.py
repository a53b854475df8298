"""Sockets of ours at which a harness's own SendMessage answers (D29, H 10)."""

from collections.abc import Sequence
from typing import Protocol

from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeAnswer:
    """One frame that arrived at the socket of message ``ref``, with the kernel's word on who wrote.

    ``peer_pid`` 0 or an empty ``peer_start`` (a start token) means that the kernel named nobody:
    such an answer is refused (D3). They are of the moment of arrival, and the writer may have ended.
    """

    ref: str
    peer_pid: int
    peer_uid: int
    peer_start: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenAnswer:
    """Something came for ``ref`` that is no whole frame; ``reason`` is the catalogue's."""

    ref: str
    peer_pid: int
    reason: str


class ReplySockets(Protocol):
    """One private socket per open message."""

    def address(self, ref: str) -> str:
        """``uds:PATH`` for the message, opening the socket if need be; empty where impossible."""
        ...

    def close(self, ref: str) -> None:
        """Stops listening for ``ref`` and removes exactly the node that was opened.

        What was written before comes with the next ``accept_ready``; nobody can write after.
        """
        ...


class ReplyListener(ReplySockets, Protocol):
    """The resident's end of the same sockets, for its poll loop."""

    def filenos(self) -> Sequence[int]:
        """Descriptors that turn readable when ``accept_ready`` has work; empty in memory."""
        ...

    def accept_ready(self) -> Sequence[NativeAnswer]:
        """Every whole answer that came since the last call. Never blocks and never raises."""
        ...

    def take_broken(self) -> Sequence[BrokenAnswer]:
        """What came since the last call and could not be heard whole."""
        ...

    def close_all(self, *, wait_seconds: float = 0.0) -> None:
        """Closes every open message as ``close`` does; twice is harmless.

        Visitors in mid-sentence are waited for, for ``wait_seconds`` in all.
        """
        ...
