"""What the file system says of a socket's node (R 4.1, D3). Nothing here connects."""

from typing import Protocol, TypeAlias

from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketNode:
    """A node at ``path`` (not followed through a link). Times in nanoseconds, mode in st_mode bits."""

    path: str
    device: int
    inode: int
    mtime_ns: int
    mode: int
    uid: int
    is_socket: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketMissing:
    """The path does not exist, by the file system's own word."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketUnreadable:
    """Could not be looked at: permission, I/O, a part of the path that is no folder."""

    path: str
    why: str


SocketFact: TypeAlias = SocketNode | SocketMissing | SocketUnreadable


class SocketNodes(Protocol):
    """Looks at nodes."""

    def look(self, path: str) -> SocketFact:
        """What is at ``path`` (absolute) now."""
        ...
