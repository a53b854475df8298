"""Sockets of ours at which a harness's own SendMessage answers (D29, H 10)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeAnswer:
    """One frame that arrived at the socket of message ``ref``, with the kernel's word on who wrote.

    ``peer_pid`` 0 means that the kernel named nobody: such an answer is refused (D3).
    """

    ref: str
    peer_pid: int
    peer_uid: int
    text: str


class ReplySockets(Protocol):
    """One private socket per open message."""

    def address(self, ref: str) -> str:
        """``uds:PATH`` for the message, opening the socket if need be; empty where impossible."""
        ...

    def close(self, ref: str) -> None:
        """Stops listening for ``ref`` and removes exactly the node that was opened."""
        ...


class ReplyListener(ReplySockets, Protocol):
    """The resident's end of the same sockets, for its poll loop."""

    def filenos(self) -> Sequence[int]:
        """Descriptors that turn readable when ``accept_ready`` has work; empty in memory."""
        ...

    def accept_ready(self) -> Sequence[NativeAnswer]:
        """Every whole answer that is there now. Never blocks and never raises."""
        ...

    def close_all(self) -> None:
        """Closes every open message. Calling it twice is harmless."""
        ...
