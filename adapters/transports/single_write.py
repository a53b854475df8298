"""One send call, and what it is known to have done (M 5.4)."""

import socket
from typing import Final

from tidings.ports.tokens import WriteResult
from tidings.ports.transport import WriteFact

_SEND_BUFFER_FACTOR: Final = 4
"""The kernel counts its own overhead against the send buffer; four times the frame is ample."""


def judge_write(sent_bytes: int, total_bytes: int, *, failed_after: bool) -> WriteFact:
    """The table of M 5.4: what one write call of ``total_bytes`` is known to have done."""
    if sent_bytes == 0:
        return WriteFact(result=WriteResult.ZERO, reason="provider-write-zero")
    if 0 < sent_bytes < total_bytes:
        return WriteFact(result=WriteResult.PARTIAL, reason="provider-write-partial")
    if sent_bytes == total_bytes and not failed_after:
        return WriteFact(result=WriteResult.FULL, reason="")
    return WriteFact(result=WriteResult.UNKNOWN, reason="provider-handoff-outcome-unknown")


def make_room(connection: socket.socket, frame_bytes: int) -> None:
    """So that one send call can take the whole frame; where the kernel refuses, the write tells."""
    wanted = frame_bytes * _SEND_BUFFER_FACTOR
    try:
        if connection.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) < wanted:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, wanted)
    except OSError:
        return


def send_once(connection: socket.socket, data: bytes) -> WriteFact:
    """Writes ``data`` by exactly one call on a non-blocking socket; an error means zero bytes."""
    try:
        sent_bytes = connection.send(data)
    except OSError:
        return judge_write(0, len(data), failed_after=False)
    return judge_write(sent_bytes, len(data), failed_after=_was_hung_up(connection))


def _was_hung_up(connection: socket.socket) -> bool:
    """Whether the harness already closed without reading: the bytes left, and may be lost."""
    try:
        return connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0
    except OSError:
        return True
