"""The transport suite, bound to the memory twin and the harness socket."""

from collections.abc import Iterator, Sequence

import pytest

from support.inbox import ListeningInbox
from tidings.adapters.memory.sockets import MemorySocketNodes
from tidings.adapters.memory.transport import MemoryTransport
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.transport_contract import CONVERSATION, TOKEN, TransportContract
from tidings.ports.processes import ProcessBirth
from tidings.ports.transport import Endpoint

_PATH = "/run/7.sock"


class _MemoryHarness:
    def __init__(self, limit_bytes: int) -> None:
        self._nodes = MemorySocketNodes()
        self._owner = ProcessBirth(pid=7, uid=1000, start="linux:boot:1")
        self.transport = MemoryTransport(codec=JsonCodec(), limit_bytes=limit_bytes)
        node = self._nodes.bind(_PATH)
        self.transport.listen(node, self._owner)
        self.endpoint = Endpoint(node=node, owner=self._owner, session_id=CONVERSATION, token=TOKEN)

    def contents(self) -> Sequence[str]:
        return [frame.content for frame in self.transport.written]

    def vanish(self) -> None:
        self.transport.vanish(_PATH)

    def rebind(self) -> None:
        self.transport.listen(self._nodes.bind(_PATH), self._owner)


class TestMemoryTransport(TransportContract):
    def make_harness(self, *, limit_bytes: int) -> _MemoryHarness:
        return _MemoryHarness(limit_bytes)


class TestHarnessSocketTransport(TransportContract):
    @pytest.fixture(autouse=True)
    def harnesses(self) -> Iterator[None]:
        self._made: list[ListeningInbox] = []
        yield
        for inbox in self._made:
            inbox.close()

    def make_harness(self, *, limit_bytes: int) -> ListeningInbox:
        self._made.append(ListeningInbox(limit_bytes=limit_bytes).serve())
        return self._made[-1]
