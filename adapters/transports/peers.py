"""Who is at the other end of a Unix socket, in the kernel's own words (R 1.3, D3)."""

import socket
import struct
import sys

from tidings.ports.values import dataclass

_LINUX_UCRED = struct.Struct("3i")
_DARWIN_SOL_LOCAL = 0
_DARWIN_LOCAL_PEERCRED = 1
_DARWIN_LOCAL_PEERPID = 2
_DARWIN_XUCRED_HEAD = struct.Struct("II")
_DARWIN_XUCRED_BYTES = 76


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """The peer of a connected socket. ``pid`` 0 means that the kernel named nobody."""

    pid: int
    uid: int


NOBODY = Peer(pid=0, uid=-1)


def peer_of(connection: socket.socket) -> Peer:
    """The process that connected (or listened), as it was at that moment; ``NOBODY`` on doubt."""
    try:
        match sys.platform:
            case "linux":
                return _linux_peer(connection)
            case "darwin":
                return _darwin_peer(connection)
            case _:
                return NOBODY
    except OSError:
        return NOBODY


def _linux_peer(connection: socket.socket) -> Peer:
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _LINUX_UCRED.size)
    pid, uid, _gid = _LINUX_UCRED.unpack(data)
    return Peer(pid=pid, uid=uid)


def _darwin_peer(connection: socket.socket) -> Peer:
    pid = connection.getsockopt(_DARWIN_SOL_LOCAL, _DARWIN_LOCAL_PEERPID)
    credentials = connection.getsockopt(
        _DARWIN_SOL_LOCAL, _DARWIN_LOCAL_PEERCRED, _DARWIN_XUCRED_BYTES
    )
    _version, uid = _DARWIN_XUCRED_HEAD.unpack_from(credentials)
    return Peer(pid=pid, uid=uid)
