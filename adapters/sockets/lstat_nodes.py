"""Looking at socket nodes with ``lstat``: no link is followed and nothing is connected to."""

import os
import stat

from tidings.ports.sockets import SocketFact, SocketMissing, SocketNode, SocketUnreadable


class LstatSocketNodes:
    """What the file system says of a path."""

    def look(self, path: str) -> SocketFact:
        """The node at ``path``. Only the system's "no such file" is *missing*; all else that
        fails, a part of the path that is no folder included, is *unreadable* (S 3.1, s2)."""
        try:
            node = os.lstat(path)
        except FileNotFoundError:
            return SocketMissing(path=path)
        except (OSError, ValueError) as error:
            return SocketUnreadable(path=path, why=f"its path cannot be looked at: {error}")
        return SocketNode(
            path=path,
            device=node.st_dev,
            inode=node.st_ino,
            mtime_ns=node.st_mtime_ns,
            mode=node.st_mode,
            uid=node.st_uid,
            is_socket=stat.S_ISSOCK(node.st_mode),
        )
