"""What one visitor of a reply socket has said so far, within bounds."""

import socket
import time

from tidings.adapters.transports.peers import Peer

LINE_MAX_BYTES = 1 << 20
VISIT_SECONDS = 2.0
_CHUNK_BYTES = 1 << 16


class Visit:
    """One accepted connection: non-blocking, at most 1 MiB in all and 2 s from its start."""

    def __init__(self, connection: socket.socket, ref: str, peer: Peer) -> None:
        self.connection = connection
        self.ref = ref
        self.peer = peer
        self.is_over = False
        self._buffer = b""
        self._read_bytes = 0
        self._ends_at = time.monotonic() + VISIT_SECONDS

    def take_lines(self) -> list[bytes]:
        """Whole lines that arrived; at the end of the stream the last one needs no line break.

        What is already there counts even after the two seconds (the reader may have been late,
        not the writer); what is not there by then never counts.
        """
        while not self.is_over and self._take_chunk():
            pass
        if time.monotonic() > self._ends_at:
            self.is_over = True
        *lines, self._buffer = self._buffer.split(b"\n")
        return [line for line in lines if line.strip()]

    def _take_chunk(self) -> bool:
        try:
            chunk = self.connection.recv(_CHUNK_BYTES)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""
        self._read_bytes += len(chunk)
        if not chunk or self._read_bytes > LINE_MAX_BYTES:
            self.is_over = True
            chunk = b"\n"
        self._buffer += chunk
        return not self.is_over
