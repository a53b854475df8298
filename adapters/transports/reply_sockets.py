"""Private sockets at which a harness's own SendMessage answers (D29, H 10)."""

import hashlib
import os
import selectors
import socket
from collections.abc import Sequence

from tidings.adapters.transports.own_socket import OwnSocket, open_socket
from tidings.adapters.transports.peers import peer_of
from tidings.adapters.transports.private_folder import PATH_MAX_BYTES, is_usable
from tidings.adapters.transports.reply_line import Visit
from tidings.adapters.wire.harness_frames import read_answer
from tidings.ports.codec import Codec
from tidings.ports.replies import NativeAnswer

_VISITS_MAX = 64
_NAME_DIGITS = 24


class ReplySocketFolder:
    """One 0600 socket per open message in ``folder``, which must be private (0700) and ours.

    The name of a message's socket is a digest of its ref: the same message has the same address
    in the next resident. Nothing here judges the writer: the kernel's pid and uid go out with
    the text. Used from one thread.
    """

    def __init__(self, *, folder: str, codec: Codec) -> None:
        self._folder = folder
        self._codec = codec
        self._sockets: dict[str, OwnSocket] = {}
        self._visits: set[Visit] = set()
        self._selector = selectors.DefaultSelector()

    def address(self, ref: str) -> str:
        opened = self._sockets.get(ref) or self._open(ref)
        return f"uds:{opened.path}" if opened else ""

    def close(self, ref: str) -> None:
        opened = self._sockets.pop(ref, None)
        if opened is None:
            return
        self._selector.unregister(opened.listener)
        opened.close()
        for visit in [visit for visit in self._visits if visit.ref == ref]:
            self._end(visit)

    def close_all(self) -> None:
        for ref in list(self._sockets):
            self.close(ref)

    def filenos(self) -> Sequence[int]:
        """Listeners and open visits; the set changes with every call of another method."""
        return [key.fd for key in self._selector.get_map().values()]

    def accept_ready(self) -> Sequence[NativeAnswer]:
        """Takes new visitors, then whatever every visitor has said; slow ones delay nobody."""
        if not self._sockets:
            return []
        for key, _events in self._selector.select(0):
            if isinstance(key.data, str):
                self._welcome(key.data)
        return [answer for visit in list(self._visits) for answer in self._hear(visit)]

    def _open(self, ref: str) -> OwnSocket | None:
        name = hashlib.sha256(ref.encode()).hexdigest()[:_NAME_DIGITS]
        path = os.path.join(self._folder, f"r-{name}.sock")
        if len(os.fsencode(path)) > PATH_MAX_BYTES or not is_usable(self._folder):
            return None
        opened = open_socket(path)
        if opened is not None:
            self._sockets[ref] = opened
            self._selector.register(opened.listener, selectors.EVENT_READ, ref)
        return opened

    def _welcome(self, ref: str) -> None:
        """Beyond the most visits at once a visitor is turned away, so descriptors stay bounded."""
        listener = self._sockets[ref].listener
        while (connection := _accept(listener)) is not None:
            if len(self._visits) >= _VISITS_MAX:
                connection.close()
                continue
            connection.setblocking(False)
            visit = Visit(connection, ref, peer_of(connection))
            self._visits.add(visit)
            self._selector.register(connection, selectors.EVENT_READ, visit)

    def _hear(self, visit: Visit) -> list[NativeAnswer]:
        texts = [read_answer(self._codec, line) for line in visit.take_lines()]
        if visit.is_over:
            self._end(visit)
        peer = visit.peer
        return [
            NativeAnswer(ref=visit.ref, peer_pid=peer.pid, peer_uid=peer.uid, text=text)
            for text in texts
            if text is not None
        ]

    def _end(self, visit: Visit) -> None:
        self._visits.discard(visit)
        self._selector.unregister(visit.connection)
        visit.connection.close()


def _accept(listener: socket.socket) -> socket.socket | None:
    try:
        connection, _address = listener.accept()
    except OSError:
        return None
    return connection
