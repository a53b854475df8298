"""Whose record it is, and whether that owner lives: the one judgement of life (S 3, D3).

Three words, never two. *Dead* needs proof: the kernel's own word, another birth at the same pid,
another node at the same path, or an earlier boot of a machine that is provably this one. *Alive*
needs every recorded signal. All else is *unknown*, which neither reaps nor arms (promise P2).
"""

from functools import lru_cache
from typing import assert_never

from tidings.domain.identity.keys import session_key
from tidings.domain.identity.scope import earlier_boot, same_files, same_processes
from tidings.ports.processes import (
    Place,
    ProcessBirth,
    ProcessFact,
    ProcessGone,
    ProcessSeen,
    ProcessUnreadable,
)
from tidings.ports.sockets import SocketFact, SocketMissing, SocketNode, SocketUnreadable
from tidings.ports.tokens import Verdict
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketIdentity:
    """A messaging socket as it was when it was recorded. A zero inode or mtime identifies nothing."""

    path: str
    device: int
    inode: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOwner:
    """The harness process (and its socket, if one was there) that a record belongs to."""

    birth: ProcessBirth
    place: Place
    socket: SocketIdentity | None
    thread_id: str = ""

    @property
    def key(self) -> str:
        """The session key. The socket is evidence, never part of the name (D2)."""
        return session_key(
            pid=self.birth.pid,
            machine_id=self.place.machine_id,
            pid_namespace=self.place.pid_namespace,
            start=self.birth.start,
            thread_id=self.thread_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One piece of evidence: ``process`` or ``socket``, what it says, and why in a short phrase."""

    name: str
    verdict: Verdict
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerLiveness:
    """The verdict, and the signals it was combined from."""

    verdict: Verdict
    signals: tuple[Signal, ...]

    @property
    def process_is_dead(self) -> bool:
        """Whether the process itself is proven gone, whatever the socket says (D7)."""
        return any(s.name == "process" and s.verdict is Verdict.DEAD for s in self.signals)

    @property
    def why(self) -> str:
        """The evidence in one line."""
        parts = [f"{s.name} {s.verdict}: {s.evidence}" for s in self.signals]
        return "; ".join(parts) or "nothing is known of its owner"


NOT_LOOKED_AT = OwnerLiveness(verdict=Verdict.UNKNOWN, signals=())
"""What is known of an owner that nobody looked at, or whose record cannot be read."""


def judge_owner(
    owner: SessionOwner, *, process: ProcessFact, socket: SocketFact | None, here: Place
) -> OwnerLiveness:
    """Judges every recorded signal and combines them. ``socket`` None where none was recorded."""
    signals = [judge_process(owner.birth, owner.place, fact=process, here=here)]
    if owner.socket is not None:
        seen = socket or SocketUnreadable(path=owner.socket.path, why="it was not looked at")
        signals.append(judge_socket(owner.socket, owner.place, fact=seen, here=here))
    verdict = combine(*[signal.verdict for signal in signals])
    return OwnerLiveness(verdict=verdict, signals=tuple(signals))


def combine(*verdicts: Verdict) -> Verdict:
    """S 3.2: no signal is dead, any dead is dead, else any unknown is unknown, else alive."""
    if not verdicts or Verdict.DEAD in verdicts:
        return Verdict.DEAD
    return Verdict.UNKNOWN if Verdict.UNKNOWN in verdicts else Verdict.ALIVE


def both(one: OwnerLiveness, other: OwnerLiveness) -> OwnerLiveness:
    """One owner, seen by two records of it: what either proves counts."""
    extra = tuple(signal for signal in other.signals if signal not in one.signals)
    return OwnerLiveness(
        verdict=combine(one.verdict, other.verdict), signals=(*one.signals, *extra)
    )


def judge_process(birth: ProcessBirth, place: Place, *, fact: ProcessFact, here: Place) -> Signal:
    """What ``fact``, looked up from ``here``, says of the process born as ``birth`` at ``place``."""
    if earlier_boot(place, here):
        return _process(Verdict.DEAD, "the machine was started anew since")
    if not same_processes(place, here):
        return _process(Verdict.UNKNOWN, "it runs in another place: host, boot or pid namespace")
    match fact:
        case ProcessGone():
            return _process(Verdict.DEAD, "the kernel knows no such process")
        case ProcessUnreadable():
            return _process(Verdict.UNKNOWN, fact.why)
        case ProcessSeen():
            return _judge_seen(birth, fact)
        case _:
            assert_never(fact)


def judge_number(fact: ProcessFact, here: Place) -> Signal:
    """What ``fact`` says of a bare pid, recorded without birth or place: never that it lives.

    Any process may have the number by now. It is dead only where the number could mean no other
    process from the start: in the initial pid namespace, with state that no other host shares.
    """
    is_gone = isinstance(fact, ProcessGone) or (isinstance(fact, ProcessSeen) and is_over(fact))
    if is_gone and here.initial_pid_namespace and here.state_is_local:
        return _process(Verdict.DEAD, "the kernel knows no such process")
    return _process(Verdict.UNKNOWN, "a bare number was recorded, and any process may have it")


def is_over(fact: ProcessSeen) -> bool:
    """Whether a process that is still listed has ended: a zombie only once its last task has (D3)."""
    return fact.state == "X" or (fact.state == "Z" and fact.tasks <= 1)


def _judge_seen(birth: ProcessBirth, fact: ProcessSeen) -> Signal:
    if is_over(fact):
        return _process(Verdict.DEAD, "it has ended and only waits to be reaped")
    if not birth.start or not fact.birth.start:
        return _process(Verdict.UNKNOWN, "this platform does not tell when a process began")
    if (fact.birth.pid, fact.birth.start) != (birth.pid, birth.start):
        return _process(Verdict.DEAD, "another process has that number now")
    if fact.birth.uid != birth.uid:
        # The same start at the same pid is the same process under another user: not ours to
        # call alive, and not proved dead.
        return _process(Verdict.UNKNOWN, "it changed its user")
    return _process(Verdict.ALIVE, f"process {birth.pid} is the one that was recorded")


def judge_socket(socket: SocketIdentity, place: Place, *, fact: SocketFact, here: Place) -> Signal:
    """What ``fact`` says of the recorded node. Device, inode and mtime must all be equal (D3)."""
    if not same_files(place, here):
        return _socket(Verdict.UNKNOWN, "its path belongs to another file tree")
    match fact:
        case SocketMissing():
            return _socket(Verdict.DEAD, "the node is gone")
        case SocketUnreadable():
            return _socket(Verdict.UNKNOWN, fact.why)
        case SocketNode():
            return _judge_node(socket, fact)
        case _:
            assert_never(fact)


def _judge_node(socket: SocketIdentity, node: SocketNode) -> Signal:
    recorded = (socket.device, socket.inode, socket.mtime_ns)
    if not socket.inode or not socket.mtime_ns:
        return _socket(Verdict.DEAD, "no identity of it was recorded")
    # Inode and device alone prove nothing: ext4 hands the same inode to a socket bound anew
    # (S 5.4, 20 of 20 times).
    if not node.is_socket or (node.device, node.inode, node.mtime_ns) != recorded:
        return _socket(Verdict.DEAD, "another node is at its path now")
    return _socket(Verdict.ALIVE, "the node is the one that was recorded")


@lru_cache(maxsize=64)
def _process(verdict: Verdict, evidence: str) -> Signal:
    return Signal(name="process", verdict=verdict, evidence=evidence)


@lru_cache(maxsize=64)
def _socket(verdict: Verdict, evidence: str) -> Signal:
    return Signal(name="socket", verdict=verdict, evidence=evidence)
