"""The reply suite, bound to the memory twin and to real sockets."""

import shutil
import tempfile
from collections.abc import Iterator

import pytest

from support.native_answer import birth_here, reply_folder, write_native
from tidings.adapters.memory.replies import MemoryReplySockets
from tidings.adapters.transports.reply_sockets import ReplySocketFolder
from tidings.entrypoints.testing.replies_contract import ReplySocketsContract
from tidings.ports.processes import ProcessBirth


class TestMemoryReplySockets(ReplySocketsContract):
    @pytest.fixture(autouse=True)
    def sockets(self) -> None:
        self._sockets = MemoryReplySockets()

    def make_sockets(self) -> MemoryReplySockets:
        return self._sockets

    def deliver(self, address: str, text: str) -> bool:
        return self._sockets.arrive(address, text, peer=self.writer())

    def writer(self) -> ProcessBirth:
        return ProcessBirth(pid=7, uid=1000, start="linux:b:1")


class TestReplySocketFolder(ReplySocketsContract):
    @pytest.fixture(autouse=True)
    def folder(self) -> Iterator[None]:
        self._folder = tempfile.mkdtemp(dir="/tmp", prefix="td-")
        yield
        shutil.rmtree(self._folder)

    def make_sockets(self) -> ReplySocketFolder:
        return reply_folder(self._folder)

    def deliver(self, address: str, text: str) -> bool:
        return write_native(address, text)

    def writer(self) -> ProcessBirth:
        return birth_here()
