"""The messaging socket: it takes lines, and never says a word (H 3)."""

import asyncio
import os
import time
from collections.abc import Callable

from tidings.adapters.transports.peers import peer_of
from tidings.entrypoints.simulated.files import remove
from tidings.entrypoints.simulated.kernel import is_live_descendant
from tidings.entrypoints.simulated.options import PermissionMode
from tidings.entrypoints.simulated.posts import LINE_MAX_BYTES, BurstGate, inbound_word, read_post
from tidings.entrypoints.simulated.state import HarnessState


class Inbox:
    """``cc-socks/<pid>.sock``: mode 0600 in a 0700 folder, one task per visitor."""

    def __init__(self, state: HarnessState, deliver: Callable[[str], None]) -> None:
        self._state = state
        self._deliver = deliver
        self._gate = BurstGate()
        self._server: asyncio.Server | None = None
        self._visits: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """Listens; a stale node of an earlier process with this pid is replaced."""
        places = self._state.places
        os.makedirs(places.sockets, mode=0o700, exist_ok=True)
        remove(places.socket)
        self._server = await asyncio.start_unix_server(
            self._visit, places.socket, limit=LINE_MAX_BYTES
        )
        os.chmod(places.socket, 0o600)
        self._state.is_reachable = True

    async def close(self) -> None:
        """Stops listening and removes the node; whatever was not read is lost, as in the client."""
        self._state.is_reachable = False
        if self._server is not None:
            self._server.close()
        for writer in list(self._visits):
            writer.transport.abort()
        remove(self._state.places.socket)

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._visits.add(writer)
        peer_pid = peer_of(writer.get_extra_info("socket")).pid
        try:
            while line := await reader.readline():
                self._take(line, peer_pid)
        except (ValueError, OSError):
            writer.transport.abort()
        finally:
            self._visits.discard(writer)
            writer.close()

    def _take(self, line: bytes, peer_pid: int) -> None:
        text = read_post(line, session_id=self._state.session_id)
        if text is None:
            self._state.count("ignored")
        elif not self._gate.admits(peer_pid, time.monotonic()):
            self._state.count("dropped")
        else:
            self._let_in(text, peer_pid)

    def _let_in(self, text: str, peer_pid: int) -> None:
        """As the settings say now, and by the writer where they say nothing; nobody is told."""
        word = inbound_word(self._state.places.all_settings)
        if word == "refuse":
            self._state.count("dropped")
        elif word != "hold" and (word == "accept" or self._is_trusted(peer_pid)):
            self._state.count("frames")
            self._deliver(text)
        else:
            self._state.held.append(text)

    def _is_trusted(self, peer_pid: int) -> bool:
        """In bypass mode only live descendants are; everybody else's frames wait on screen."""
        if self._state.options.permission_mode is not PermissionMode.BYPASS:
            return True
        return is_live_descendant(peer_pid, self._state.pid)
