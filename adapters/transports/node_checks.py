"""What a harness's socket node must look like before and after the dial (R 4.1, D3)."""

import os
import posixpath
import stat

from tidings.ports.sockets import SocketNode


def is_clean(path: str) -> bool:
    """An absolute path that normalising would not change."""
    return posixpath.isabs(path) and posixpath.normpath(path) == path and "\0" not in path


def is_private(node: SocketNode) -> bool:
    """A socket of this user that nobody else may open."""
    return node.is_socket and node.uid == os.getuid() and stat.S_IMODE(node.mode) == 0o600


def is_same(fact: SocketNode, want: SocketNode) -> bool:
    """Device, inode and mtime together: some file systems give an inode away at once."""
    seen = (fact.device, fact.inode, fact.mtime_ns)
    return seen == (want.device, want.inode, want.mtime_ns)
