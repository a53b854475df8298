"""Private sockets at which a harness's own SendMessage answers (D29, H 10)."""

import hashlib
import os
import selectors
import socket
import time
from collections.abc import Sequence

from tidings.adapters.transports.own_socket import OwnSocket, open_socket
from tidings.adapters.transports.peer_starts import PeerStarts
from tidings.adapters.transports.peers import peer_of
from tidings.adapters.transports.private_folder import PATH_MAX_BYTES, is_usable
from tidings.adapters.transports.reply_line import Visit
from tidings.adapters.wire.harness_frames import read_answer
from tidings.ports.codec import Codec
from tidings.ports.replies import BrokenAnswer, NativeAnswer

_VISITS_MAX = 64
_NAME_DIGITS = 24

TOO_LARGE = "answer-too-large"
INCOMPLETE = "answer-incomplete"


class ReplySocketFolder:
    """One 0600 socket per open message in ``folder``, which must be private (0700) and ours.

    The name of a message's socket is a digest of its ref: the same message has the same address
    in the next resident. Nothing here judges the writer: the kernel's pid, uid and start go out
    with the text. Who came first is heard first. Nothing that was written before a close is lost by
    it. Used from one thread.
    """

    def __init__(self, *, folder: str, codec: Codec, starts: PeerStarts) -> None:
        self._folder = folder
        self._codec = codec
        self._starts = starts
        self._heard: list[NativeAnswer] = []
        self._broken: list[BrokenAnswer] = []
        self._sockets: dict[str, OwnSocket] = {}
        self._visits: list[Visit] = []
        self._selector = selectors.DefaultSelector()

    def address(self, ref: str) -> str:
        opened = self._sockets.get(ref) or self._open(ref)
        return f"uds:{opened.path}" if opened else ""

    def close(self, ref: str) -> None:
        if ref in self._sockets:
            self._shut(ref)
            self._dismiss([visit for visit in self._visits if visit.ref == ref])

    def close_all(self, *, wait_seconds: float = 0.0) -> None:
        for ref in list(self._sockets):
            self._shut(ref)
        ends_at = time.monotonic() + wait_seconds
        self._hear_everybody(0)
        while self._is_anybody_unheard() and (left := ends_at - time.monotonic()) > 0:
            self._hear_everybody(left)
        self._dismiss(list(self._visits))

    def filenos(self) -> Sequence[int]:
        """Listeners and open visits; the set changes with every call of another method."""
        return [key.fd for key in self._selector.get_map().values()]

    def accept_ready(self) -> Sequence[NativeAnswer]:
        """Takes new visitors, then whatever every visitor has said; slow ones delay nobody."""
        self._hear_everybody(0)
        heard, self._heard = self._heard, []
        return heard

    def take_broken(self) -> Sequence[BrokenAnswer]:
        broken, self._broken = self._broken, []
        return broken

    def _hear_everybody(self, wait_seconds: float) -> None:
        for key, _events in self._selector.select(wait_seconds):
            if isinstance(key.data, str):
                self._welcome(key.data)
        for visit in list(self._visits):
            self._hear(visit)

    def _shut(self, ref: str) -> None:
        """Lets in who has connected, and nobody after them."""
        self._sockets[ref].refuse()
        self._welcome(ref)
        opened = self._sockets.pop(ref)
        self._selector.unregister(opened.listener)
        opened.close()

    def _is_anybody_unheard(self) -> bool:
        return any(visit.is_unheard for visit in self._visits)

    def _dismiss(self, visits: Sequence[Visit]) -> None:
        for visit in visits:
            self._hear(visit)
            self._end(visit)

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
        """Beyond the most visits at once a visitor gets no time: only what it has said counts."""
        listener = self._sockets[ref].listener
        while (connection := _accept(listener)) is not None:
            connection.setblocking(False)
            peer = peer_of(connection)
            visit = Visit(connection, ref, peer, self._starts.start_of(connection, peer))
            self._visits.append(visit)
            self._selector.register(connection, selectors.EVENT_READ, visit)
            if len(self._visits) > _VISITS_MAX:
                self._hear(visit)
                self._end(visit)

    def _hear(self, visit: Visit) -> None:
        for line in visit.take_lines():
            self._note(visit, line)
        if visit.is_over:
            self._end(visit)

    def _end(self, visit: Visit) -> None:
        """The last line needs no line break; what is left over and no answer was cut off."""
        if visit not in self._visits:
            return
        if visit.is_too_large:
            self._miss(visit, TOO_LARGE)
        elif visit.rest and not self._note(visit, visit.rest):
            self._miss(visit, INCOMPLETE)
        self._visits.remove(visit)
        self._selector.unregister(visit.connection)
        visit.connection.close()

    def _note(self, visit: Visit, line: bytes) -> bool:
        """Keeps the answer that ``line`` is; False where it is none."""
        text = read_answer(self._codec, line)
        if text is None:
            return False
        answer = NativeAnswer(
            ref=visit.ref,
            peer_pid=visit.peer.pid,
            peer_uid=visit.peer.uid,
            peer_start=visit.start,
            text=text,
        )
        self._heard.append(answer)
        return True

    def _miss(self, visit: Visit, reason: str) -> None:
        self._broken.append(BrokenAnswer(ref=visit.ref, peer_pid=visit.peer.pid, reason=reason))


def _accept(listener: socket.socket) -> socket.socket | None:
    try:
        connection, _address = listener.accept()
    except OSError:
        return None
    return connection
