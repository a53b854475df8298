"""When the process at the other end began, so that a pid alone never names a writer (D3)."""

import os
import socket
import sys
from collections.abc import Callable
from typing import Final

from tidings.adapters.transports.peers import Peer
from tidings.ports.processes import ProcessBirth, Processes, ProcessSeen

_SO_PEERPIDFD: Final = 77
_MACHINES: Final = frozenset({"x86_64", "aarch64", "riscv64", "ppc64le", "s390x"})
"""The number is the generic one of Linux; on other machines it may mean something else."""


class PeerStarts:
    """Start tokens of visitors; that of ``known`` also where it has ended since it connected."""

    def __init__(self, processes: Processes, *, known: ProcessBirth | None = None) -> None:
        self._processes = processes
        self._known = known
        self._known_inode = 0 if known is None else self._inode_of(known)

    def start_of(self, connection: socket.socket, peer: Peer) -> str:
        """The start token of whoever has the peer's pid now; empty on doubt.

        The kernel keeps the pid of the moment of the connect. A process that has it now and is
        older than the listener had it then too, so equality with such a birth is a proof. One that
        is gone altogether is known by its process descriptor (Linux 6.16).
        """
        if peer.pid <= 0:
            return ""
        if self._known is not None and self._known_inode and self._is_known(connection):
            return self._known.start
        fact = self._processes.look(peer.pid)
        return fact.birth.start if isinstance(fact, ProcessSeen) else ""

    def _is_known(self, connection: socket.socket) -> bool:
        return _inode(lambda: _peer_descriptor(connection)) == self._known_inode

    def _inode_of(self, birth: ProcessBirth) -> int:
        """The inode of its process descriptor; 0 where the kernel gives all of them the same one."""
        if sys.platform != "linux" or os.uname().machine not in _MACHINES:
            return 0
        inode = _inode(lambda: os.pidfd_open(birth.pid))
        fact = self._processes.look(birth.pid)
        is_it = isinstance(fact, ProcessSeen) and fact.birth == birth
        return inode if is_it and inode != _inode(lambda: os.pidfd_open(os.getpid())) else 0


def _peer_descriptor(connection: socket.socket) -> int:
    return connection.getsockopt(socket.SOL_SOCKET, _SO_PEERPIDFD)


def _inode(opened: Callable[[], int]) -> int:
    """The inode behind a descriptor that ``opened`` makes and this closes; 0 where it makes none."""
    try:
        descriptor = opened()
    except (OSError, AttributeError):
        return 0
    try:
        return os.fstat(descriptor).st_ino
    finally:
        os.close(descriptor)
