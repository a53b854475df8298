"""What every ``SocketNodes`` keeps."""

from tidings.ports.sockets import SocketMissing, SocketNode, SocketNodes


class SocketNodesContract:
    """Bind it by overriding ``make_sockets``, ``bind`` and ``unlink``."""

    def make_sockets(self) -> SocketNodes:
        """The adapter under test; every call looks at the same file tree."""
        raise NotImplementedError

    def bind(self, name: str) -> str:
        """Binds a socket in the test's folder and returns its absolute path."""
        raise NotImplementedError

    def unlink(self, path: str) -> None:
        """Removes the node."""
        raise NotImplementedError

    def _node(self, path: str) -> SocketNode:
        fact = self.make_sockets().look(path)
        assert isinstance(fact, SocketNode), fact
        return fact

    def test_a_bound_socket_is_identified(self) -> None:
        node = self._node(self.bind("a.sock"))
        assert node.is_socket
        assert node.inode > 0
        assert node.mtime_ns > 0

    def test_it_is_the_same_at_every_look(self) -> None:
        path = self.bind("a.sock")
        assert self._node(path) == self._node(path)

    def test_a_path_without_a_node_is_missing(self) -> None:
        path = self.bind("a.sock")
        self.unlink(path)
        assert self.make_sockets().look(path) == SocketMissing(path=path)

    def test_bound_anew_it_is_another(self) -> None:
        first = self._node(self.bind("a.sock"))
        self.unlink(first.path)
        second = self._node(self.bind("a.sock"))
        assert (first.inode, first.mtime_ns) != (second.inode, second.mtime_ns)
