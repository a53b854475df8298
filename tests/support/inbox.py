"""A listening harness of this very process, for tests of what writes to one."""

import json
import os
import select
import shutil
import socket
import tempfile
import threading
from typing import cast

from tidings.adapters.processes.native import native_processes
from tidings.adapters.sockets.lstat_nodes import LstatSocketNodes
from tidings.adapters.transports.harness_socket import HarnessSocketTransport
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.transport_contract import CONVERSATION, TOKEN
from tidings.ports.processes import ProcessBirth, ProcessSeen
from tidings.ports.sockets import SocketNode
from tidings.ports.transport import Endpoint


class ListeningInbox:
    """A 0600 socket whose visitors are read to their end by a thread."""

    def __init__(self, *, limit_bytes: int = 8192) -> None:
        self.folder = tempfile.mkdtemp(dir="/tmp", prefix="td-")
        self.path = os.path.join(self.folder, "inbox.sock")
        self.raw: list[bytes] = []
        self.accepted: list[socket.socket] = []
        processes = native_processes(state_folder=self.folder)
        self.transport = HarnessSocketTransport(
            processes=processes,
            sockets=LstatSocketNodes(),
            codec=JsonCodec(),
            limit_bytes=limit_bytes,
        )
        me = processes.look(os.getpid())
        assert isinstance(me, ProcessSeen)
        self.owner: ProcessBirth = me.birth
        self._listener = self._bind()
        self._thread: threading.Thread | None = None
        self.endpoint = self.endpoint_now()

    def endpoint_now(self) -> Endpoint:
        node = LstatSocketNodes().look(self.path)
        assert isinstance(node, SocketNode)
        return Endpoint(node=node, owner=self.owner, session_id=CONVERSATION, token=TOKEN)

    def serve(self) -> "ListeningInbox":
        """From now on visitors are read; without it they wait in the backlog."""
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def accept(self) -> socket.socket:
        """Takes the one visitor that waits, for a test that plays the harness by hand."""
        connection, _address = self._listener.accept()
        self.accepted.append(connection)
        return connection

    def has_visitor(self) -> bool:
        """Whether anybody has connected and waits."""
        return bool(select.select([self._listener], [], [], 0)[0])

    def contents(self) -> list[str]:
        """Stops listening, and returns the contents of the whole user frames that came."""
        self.vanish()
        lines = b"".join(self.raw).splitlines()
        frames = [cast("dict[str, dict[str, str]]", json.loads(line)) for line in lines]
        return [frame["message"]["content"] for frame in frames if "message" in frame]

    def vanish(self) -> None:
        if self._thread is not None:
            self._farewell()
            self._thread.join()
            self._thread = None
        self._listener.close()
        if os.path.exists(self.path):
            os.unlink(self.path)

    def rebind(self) -> None:
        self.vanish()
        self._listener = self._bind()
        self.serve()

    def close(self) -> None:
        self.vanish()
        for connection in self.accepted:
            connection.close()
        shutil.rmtree(self.folder)

    def _bind(self) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(self.path)
        os.chmod(self.path, 0o600)
        listener.listen(8)
        return listener

    def _serve(self) -> None:
        while True:
            connection, _address = self._listener.accept()
            with connection, connection.makefile("rb") as stream:
                data = stream.read()
            if data == b"farewell":
                return
            self.raw.append(data)

    def _farewell(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as last:
            last.connect(self.path)
            last.sendall(b"farewell")
