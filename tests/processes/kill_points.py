"""Kills a process at its n-th step on the state folder: ``kill_points.py STATE``.

It says ``ready``, then for every line ``VERB PID N`` of its input forks a child that runs the verb
for the session of the process PID and kills itself right before its n-th step (0: never). A step is
an open, rename, unlink, listing, lock or change of mode under the state folder, and every write,
truncation and sync; a write counts twice, and at its second step half of it is written. The answer
is one line: ``killed``, or ``done STEPS``, or the name of the error that the verb ended with. A verb that
withdrew or delivered says so in the log of the folder, before it returns.
"""

import fcntl
import os
import signal
import sys
from collections.abc import Callable
from typing import Final

from processes.consent_worker import Bench, say
from tidings.adapters.files.consent_marks import FileConsentMarks
from tidings.adapters.files.session_records import FileSessionRecords
from tidings.adapters.locks.fcntl_locks import FcntlHeldLock, FcntlLocks
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.consent.desk import Barrier, Disarmed
from tidings.domain.consent.opt_in import OptIn
from tidings.domain.consent.scope import EVERYTHING, ConsentScope
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.sessions.roster import Roster
from tidings.ports.codec import ReadOnlyDocument
from tidings.ports.errors import LockTimeout, StateUnwritable, TidingsError
from tidings.ports.tokens import LockKind, Provider

NARROW = ConsentScope(senders=("front",))
PATH_EVENTS: Final = frozenset(
    {"open", "os.rename", "os.remove", "os.mkdir", "os.listdir", "os.scandir"}
)
PLAIN_WRITE, PLAIN_SYNC, PLAIN_TRUNCATE = os.write, os.fsync, os.ftruncate
PLAIN_FLOCK, PLAIN_FCHMOD = fcntl.flock, os.fchmod


class Steps:
    """Counts the steps of this process; at number ``last`` it kills itself."""

    def __init__(self, folder: str, last: int) -> None:
        self._folder = folder
        self._last = last
        self.taken = 0

    def count(self) -> None:
        self.taken += 1
        if self.taken == self._last:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        """From now on every step counts. A hook cannot be taken away again: only in a child."""
        sys.addaudithook(self._heard)
        for module, name, watched in (
            (os, "write", self._write),
            (os, "fsync", self._sync),
            (os, "ftruncate", self._truncate),
            (os, "fchmod", self._fchmod),
            (fcntl, "flock", self._flock),
        ):
            setattr(module, name, watched)

    def _heard(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in PATH_EVENTS and arguments and str(arguments[0]).startswith(self._folder):
            self.count()

    def _write(self, descriptor: int, data: bytes | memoryview) -> int:
        self.count()
        half = PLAIN_WRITE(descriptor, data[: len(data) // 2])
        self.count()
        return half + PLAIN_WRITE(descriptor, data[half:])

    def _sync(self, descriptor: int) -> None:
        self.count()
        PLAIN_SYNC(descriptor)

    def _truncate(self, descriptor: int, length: int) -> None:
        self.count()
        PLAIN_TRUNCATE(descriptor, length)

    def _flock(self, descriptor: int, manner: int) -> None:
        self.count()
        PLAIN_FLOCK(descriptor, manner)

    def _fchmod(self, descriptor: int, mode: int) -> None:
        self.count()
        PLAIN_FCHMOD(descriptor, mode)


def opted_in(_key: str) -> OptIn:
    """Every repository proposes that its sessions hear, so whatever loses its word is heard."""
    return OptIn(is_on=True, why="the repository opted in")


def arm(bench: Bench, owner: SessionOwner) -> None:
    bench.desk.arm(owner, cwd="/", scope=EVERYTHING)


def arm_narrowly(bench: Bench, owner: SessionOwner) -> None:
    bench.desk.arm(owner, cwd="/", scope=NARROW)


def disarm(bench: Bench, owner: SessionOwner) -> None:
    note_disarmed(bench, bench.desk.disarm(owner, cwd="/"))


class ConsentLockTaken(FcntlLocks):
    """Somebody else has the consent lock; the two seconds of waiting are left out."""

    def take(self, kind: LockKind, key: str, *, wait_seconds: float) -> FcntlHeldLock:
        if kind is LockKind.CONSENT:
            raise LockTimeout(str(kind), wait_seconds)
        return super().take(kind, key, wait_seconds=wait_seconds)


def disarm_beside_a_hung_writer(bench: Bench, owner: SessionOwner) -> None:
    bench.locks = ConsentLockTaken(os.path.join(bench.state, "locks"))
    note_disarmed(bench, bench.desk_on(bench.marks).disarm(owner, cwd="/"))


class FullMarks(FileConsentMarks):
    """No new file finds room."""

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        raise StateUnwritable("no space left")

    write_off = write


def disarm_on_a_full_disk(bench: Bench, owner: SessionOwner) -> None:
    marks = FullMarks(os.path.join(bench.state, "consent"), codec=JsonCodec())
    bench.desk_on(marks).disarm(owner, cwd="/")


def reset(bench: Bench, owner: SessionOwner) -> None:
    bench.desk.reset(owner)


def first_connect(bench: Bench, owner: SessionOwner) -> None:
    bench.desk.first_connect(owner)


def reap(bench: Bench, owner: SessionOwner) -> None:
    bench.desk.reap()


def roster_of(bench: Bench) -> Roster:
    """The session records of the same folder."""
    return Roster(
        records=FileSessionRecords(os.path.join(bench.state, "sessions"), codec=JsonCodec()),
        locks=bench.locks,
        clock=bench.clock,
        probe=bench.probe,
    )


def register(bench: Bench, owner: SessionOwner) -> None:
    """Each registration says in its label which of this session's it is."""
    roster = roster_of(bench)
    roster.register(
        owner,
        provider=Provider.CLAUDE,
        session_id="s",
        label=f"{roster.label_of(owner)}+",
        cwd="/",
        name="",
    )


def deliver(bench: Bench, owner: SessionOwner) -> None:
    """Accepts under one look, and hands off under another, below the delivery lock (D6, D16)."""
    accepted = bench.desk.state(owner.key)
    with bench.locks.hold(LockKind.DELIVERY, owner.key, wait_seconds=5):
        now = bench.desk.state(owner.key)
        note(bench, f"looked {now.generation}")
        if accepted.is_open and now.is_open and accepted.generation == now.generation:
            note(bench, f"delivered {now.generation}")


def note_disarmed(bench: Bench, done: Disarmed) -> None:
    if done.barrier is Barrier.PASSED:
        note(bench, f"disarmed {done.generation}")


def note(bench: Bench, line: str) -> None:
    """One line of the common log; a line is written whole."""
    descriptor = os.open(bench.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    PLAIN_WRITE(descriptor, f"{line}\n".encode())
    os.close(descriptor)


VERBS: dict[str, Callable[[Bench, SessionOwner], None]] = {
    verb.__name__: verb
    for verb in (
        arm,
        arm_narrowly,
        disarm,
        disarm_beside_a_hung_writer,
        disarm_on_a_full_disk,
        reset,
        first_connect,
        reap,
        register,
        deliver,
    )
}


def run(state: str, verb: str, pid: int, last: int) -> str:
    """What became of a child that runs the verb."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        PLAIN_WRITE(writer, answer(state, verb, pid, last).encode())
        os._exit(0)
    os.close(writer)
    said = os.read(reader, 1_000).decode()
    os.close(reader)
    os.waitpid(child, 0)
    return said or "killed"


def answer(state: str, verb: str, pid: int, last: int) -> str:
    """Runs the verb in this process, which may not outlive it."""
    bench = Bench(state, default_of=opted_in)
    owner = bench.probe.capture(pid, socket_path=None)
    steps = Steps(state, last)
    steps.watch()
    try:
        VERBS[verb](bench, owner)
    except TidingsError as error:
        return type(error).__name__
    return f"done {steps.taken}"


def main() -> None:
    state = sys.argv[1]
    say("ready")
    for line in sys.stdin:
        verb, pid, last = line.split()
        say(run(state, verb, int(pid), int(last)))


if __name__ == "__main__":
    main()
