"""Socket nodes of a file tree that exists only here."""

from tidings.ports.sockets import SocketFact, SocketMissing, SocketNode, SocketUnreadable
from tidings.ports.values import replace

_SOCKET_0600 = 0o140600


class MemorySocketNodes:
    """Paths and what is at them."""

    def __init__(self) -> None:
        self._facts: dict[str, SocketFact] = {}
        self._bound = 0

    def look(self, path: str) -> SocketFact:
        """What is at ``path``."""
        return self._facts.get(path) or SocketMissing(path=path)

    def bind(self, path: str, *, uid: int = 1000) -> SocketNode:
        """Binds a socket anew: another inode, another mtime."""
        self._bound += 1
        node = SocketNode(
            path=path,
            device=7,
            inode=100 + self._bound,
            mtime_ns=1_000_000 + self._bound,
            mode=_SOCKET_0600,
            uid=uid,
            is_socket=True,
        )
        self._facts[path] = node
        return node

    def rebind_same_inode(self, path: str) -> SocketNode:
        """Binds anew as ext4 does it: the inode comes back, only the mtime tells."""
        before = self._facts[path]
        if not isinstance(before, SocketNode):
            raise KeyError(f"no socket at {path}")
        node = replace(self.bind(path), inode=before.inode)
        self._facts[path] = node
        return node

    def put(self, fact: SocketFact) -> None:
        """Puts any fact at its path."""
        self._facts[fact.path] = fact

    def become_unreadable(self, path: str, why: str = "permission denied") -> None:
        """From now on ``path`` cannot be looked at."""
        self.put(SocketUnreadable(path=path, why=why))

    def unlink(self, path: str) -> None:
        """Nothing is at ``path`` any more."""
        self._facts.pop(path, None)
