"""The one function that says whether an owner lives; every list, gate and prune asks it."""

from functools import cache
from typing import assert_never

from tidings.domain.identity.owner import (
    OwnerLiveness,
    SessionOwner,
    SocketIdentity,
    is_over,
    judge_number,
    judge_owner,
    judge_process,
)
from tidings.ports.errors import OwnerUnprovable
from tidings.ports.processes import (
    Place,
    ProcessBirth,
    Processes,
    ProcessFact,
    ProcessGone,
    ProcessSeen,
    ProcessUnreadable,
)
from tidings.ports.sockets import SocketFact, SocketMissing, SocketNode, SocketNodes
from tidings.ports.tokens import Verdict


class OwnerProbe:
    """Looks at an owner's process and socket, and names owners that can be proved."""

    def __init__(self, *, processes: Processes, sockets: SocketNodes) -> None:
        self._processes = processes
        self._sockets = sockets

    def for_one_list(self) -> "OwnerProbe":
        """The same probe for many owners at one moment: each process and node is looked at once,
        and what was seen is seen by all that share it. Not to be kept beyond that moment."""
        return OwnerProbe(
            processes=LookedAtOnce(self._processes), sockets=NodesLookedAtOnce(self._sockets)
        )

    def judge(self, owner: SessionOwner) -> OwnerLiveness:
        """The verdict on ``owner`` now, with its evidence. Reads only."""
        node = None if owner.socket is None else self._look_at(owner.socket.path)
        return judge_owner(
            owner,
            process=self._processes.look(owner.birth.pid),
            socket=node,
            here=self._processes.place(),
        )

    def judge_number(self, pid: int) -> OwnerLiveness:
        """The verdict on a bare pid (S 4.10): dead or unknown, never alive."""
        signal = judge_number(self._processes.look(pid), self._processes.place())
        return OwnerLiveness(verdict=signal.verdict, signals=(signal,))

    def alive_birth(self, birth: ProcessBirth, place: Place | None = None) -> Verdict:
        """The verdict on a bare process, born at ``place`` (None: here)."""
        here = self._processes.place()
        fact = self._processes.look(birth.pid)
        return judge_process(birth, place or here, fact=fact, here=here).verdict

    def capture(self, pid: int, *, socket_path: str | None, thread_id: str = "") -> SessionOwner:
        """The owner that ``pid`` is now, with the socket if one is bound at ``socket_path``.

        Raises ``OwnerUnprovable`` where the process is gone, is a zombie, cannot be read, or has
        no start token: such a record could never be told from a reused pid.
        """
        return SessionOwner(
            birth=_provable_birth(self._processes.look(pid)),
            place=self._processes.place(),
            socket=self._identify(socket_path) if socket_path else None,
            thread_id=thread_id,
        )

    def self_pid(self) -> int:
        """This process."""
        return self._processes.self_pid()

    def _identify(self, path: str) -> SocketIdentity | None:
        match self._look_at(path):
            case SocketNode(is_socket=True) as node:
                return SocketIdentity(
                    path=node.path, device=node.device, inode=node.inode, mtime_ns=node.mtime_ns
                )
            case _:
                return None

    def _look_at(self, path: str) -> SocketFact:
        return self._sockets.look(path) if path else SocketMissing(path=path)


class LookedAtOnce:
    """Processes as they were at the first look."""

    def __init__(self, processes: Processes) -> None:
        self.look = cache(processes.look)
        self.self_pid = processes.self_pid
        self.place = cache(processes.place)


class NodesLookedAtOnce:
    """Nodes as they were at the first look."""

    def __init__(self, nodes: SocketNodes) -> None:
        self.look = cache(nodes.look)


def _provable_birth(fact: ProcessFact) -> ProcessBirth:
    match fact:
        case ProcessGone():
            raise _unprovable(fact.pid, "no such process exists")
        case ProcessUnreadable():
            raise _unprovable(fact.pid, fact.why)
        case ProcessSeen() if is_over(fact):
            raise _unprovable(fact.birth.pid, "it has ended")
        case ProcessSeen() if not fact.birth.start:
            raise _unprovable(fact.birth.pid, "this platform does not tell when it began")
        case ProcessSeen():
            return fact.birth
        case _:
            assert_never(fact)


def _unprovable(pid: int, why: str) -> OwnerUnprovable:
    return OwnerUnprovable(
        f"process {pid} cannot own a session: {why}",
        next_step="run this inside the session, or name its process with TIDINGS_SESSION_PID",
    )
