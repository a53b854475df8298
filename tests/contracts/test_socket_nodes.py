"""The socket suite, bound to the memory twin and lstat."""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator

import pytest

from tidings.adapters.memory.sockets import MemorySocketNodes
from tidings.adapters.sockets.lstat_nodes import LstatSocketNodes
from tidings.entrypoints.testing.sockets_contract import SocketNodesContract
from tidings.ports.sockets import SocketNode, SocketUnreadable


class TestMemorySocketNodes(SocketNodesContract):
    @pytest.fixture(autouse=True)
    def tree(self) -> None:
        self._sockets = MemorySocketNodes()

    def make_sockets(self) -> MemorySocketNodes:
        return self._sockets

    def bind(self, name: str) -> str:
        return self._sockets.bind(f"/run/{name}").path

    def unlink(self, path: str) -> None:
        self._sockets.unlink(path)


class TestLstatSocketNodes(SocketNodesContract):
    @pytest.fixture(autouse=True)
    def folder(self) -> Iterator[None]:
        self._folder = tempfile.mkdtemp(dir="/tmp", prefix="td-")
        yield
        shutil.rmtree(self._folder)

    def make_sockets(self) -> LstatSocketNodes:
        return LstatSocketNodes()

    def bind(self, name: str) -> str:
        path = os.path.join(self._folder, name)
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path)
        return path

    def unlink(self, path: str) -> None:
        os.unlink(path)

    def test_a_link_to_a_socket_is_no_socket(self) -> None:
        path = self.bind("a.sock")
        os.symlink(path, path + ".link")
        fact = LstatSocketNodes().look(path + ".link")
        assert isinstance(fact, SocketNode)
        assert not fact.is_socket

    def test_a_path_through_a_file_is_unreadable_not_missing(self) -> None:
        fact = LstatSocketNodes().look(f"{__file__}/a.sock")
        assert isinstance(fact, SocketUnreadable)

    def test_a_path_no_system_takes_is_unreadable(self) -> None:
        assert isinstance(LstatSocketNodes().look("/a\0b"), SocketUnreadable)
