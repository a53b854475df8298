"""What one visitor of a reply socket has said so far, within bounds."""

import socket
import time

from tidings.adapters.transports.peers import Peer

LINE_MAX_BYTES = 1 << 20
VISIT_SECONDS = 2.0
_CHUNK_BYTES = 1 << 16


class Visit:
    """One accepted connection: non-blocking, at most 1 MiB in all and 2 s from its start."""

    def __init__(self, connection: socket.socket, ref: str, peer: Peer, start: str) -> None:
        self.connection = connection
        self.ref = ref
        self.peer = peer
        self.start = start
        self.is_over = False
        self.is_too_large = False
        self._buffer = b""
        self._read_bytes = 0
        self._has_spoken = False
        self._ends_at = time.monotonic() + VISIT_SECONDS

    def take_lines(self) -> list[bytes]:
        """Whole lines that arrived; what has no line break yet is the ``rest``.

        What is already there counts even after the two seconds (the reader may have been late,
        not the writer); what is not there by then never counts.
        """
        while not self.is_over and self._take_chunk():
            pass
        if time.monotonic() > self._ends_at:
            self.is_over = True
        *lines, self._buffer = self._buffer.split(b"\n")
        self._has_spoken = self._has_spoken or bool(lines)
        return [line for line in lines if line.strip()]

    @property
    def is_unheard(self) -> bool:
        """Whether it has said nothing yet, or is in mid-sentence."""
        return bool(self.rest) or not self._has_spoken

    @property
    def rest(self) -> bytes:
        """What no line break has ended yet."""
        return self._buffer.strip()

    def _take_chunk(self) -> bool:
        try:
            chunk = self.connection.recv(_CHUNK_BYTES)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""
        self._read_bytes += len(chunk)
        self.is_too_large = self._read_bytes > LINE_MAX_BYTES
        self.is_over = not chunk or self.is_too_large
        self._buffer += b"" if self.is_too_large else chunk
        return not self.is_over
