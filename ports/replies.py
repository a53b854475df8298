"""Sockets of ours at which a harness's own SendMessage answers (D29, H 10)."""

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
