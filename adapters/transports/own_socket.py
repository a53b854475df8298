"""One listening socket of ours, with the node that belongs to it."""

import os
import socket
import stat
import time
from contextlib import suppress

from tidings.adapters.transports.folder_lock import locked_folder
from tidings.ports.values import dataclass

_BACKLOG = 8
_LOCK_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSocket:
    """A listener (non-blocking, mode 0600) and the identity of exactly the node it bound."""

    listener: socket.socket
    path: str
    identity: tuple[int, int, int]

    def refuse(self) -> None:
        """Nobody can connect from now on; who has connected before can still be accepted."""
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RD)

    def close(self) -> None:
        """Stops listening and unlinks the node, if the path still holds that very node."""
        self.listener.close()
        if _identity(self.path) == self.identity:
            _unlink(self.path)


def open_socket(path: str) -> OwnSocket | None:
    """Binds and listens at ``path``; None where that is impossible.

    A node left by a process of ours that died is replaced, so that an answer address already in
    a conversation works again. A node with a listener behind it, or of another kind, is not
    touched. The folder is locked meanwhile; where it stays so, there is no socket.
    """
    with locked_folder(os.path.dirname(path), wait_seconds=_LOCK_SECONDS) as is_held:
        return _open(path) if is_held and _is_free(path) else None


def sweep_node(path: str, *, min_age_seconds: float) -> bool:
    """Unlinks a node that a dead process of ours left; True where one is gone now.

    A younger node stays: a program that does not know the lock may be about to listen at it.
    """
    with locked_folder(os.path.dirname(path), wait_seconds=0) as is_held:
        return is_held and _is_old(path, min_age_seconds) and _is_free(path)


def _open(path: str) -> OwnSocket | None:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.setblocking(False)
        listener.bind(path)
        os.chmod(path, 0o600)
        listener.listen(_BACKLOG)
    except OSError:
        listener.close()
        return None
    identity = _identity(path)
    if identity is None:
        listener.close()
        return None
    return OwnSocket(listener=listener, path=path, identity=identity)


def _is_old(path: str, min_age_seconds: float) -> bool:
    try:
        return time.time() - os.lstat(path).st_mtime >= min_age_seconds
    except OSError:
        return False


def _is_free(path: str) -> bool:
    try:
        node = os.lstat(path)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    is_ours = stat.S_ISSOCK(node.st_mode) and node.st_uid == os.getuid()
    return is_ours and _is_deserted(path) and _unlink(path)


def _is_deserted(path: str) -> bool:
    """Only the kernel's refusal proves that nobody listens (a full backlog does not)."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
    return False


def _identity(path: str) -> tuple[int, int, int] | None:
    try:
        node = os.lstat(path)
    except OSError:
        return None
    return (node.st_dev, node.st_ino, node.st_mtime_ns)


def _unlink(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:
        return False
    return True
