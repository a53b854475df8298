"""The reply suite, bound to the memory twin and to real sockets."""

import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest

from support.native_answer import write_native
from tidings.adapters.memory.replies import MemoryReplySockets
from tidings.adapters.transports.reply_sockets import ReplySocketFolder
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.replies_contract import ReplySocketsContract


class TestMemoryReplySockets(ReplySocketsContract):
    @pytest.fixture(autouse=True)
    def sockets(self) -> None:
        self._sockets = MemoryReplySockets()

    def make_sockets(self) -> MemoryReplySockets:
        return self._sockets

    def deliver(self, address: str, text: str) -> bool:
        pid, uid = self.writer()
        return self._sockets.arrive(address, text, peer_pid=pid, peer_uid=uid)

    def writer(self) -> tuple[int, int]:
        return 7, 1000


class TestReplySocketFolder(ReplySocketsContract):
    @pytest.fixture(autouse=True)
    def folder(self) -> Iterator[None]:
        self._folder = tempfile.mkdtemp(dir="/tmp", prefix="td-")
        yield
        shutil.rmtree(self._folder)

    def make_sockets(self) -> ReplySocketFolder:
        return ReplySocketFolder(folder=self._folder, codec=JsonCodec())

    def deliver(self, address: str, text: str) -> bool:
        return write_native(address, text)

    def writer(self) -> tuple[int, int]:
        return os.getpid(), os.getuid()
