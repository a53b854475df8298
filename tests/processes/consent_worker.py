"""The other process in a race for consent: ``consent_worker.py STATE ROLE PID``.

It says ``ready`` on its output, works until its input ends, and says how many rounds it did.
"""

import os
import select
import sys
from collections.abc import Callable

from tidings.adapters.clocks.system import SystemClock
from tidings.adapters.files.consent_marks import FileConsentMarks
from tidings.adapters.locks.fcntl_locks import FcntlLocks
from tidings.adapters.processes.native import native_processes
from tidings.adapters.sockets.lstat_nodes import LstatSocketNodes
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.consent.arming import ArmWord
from tidings.domain.consent.change import Change, armed_mark
from tidings.domain.consent.desk import ConsentDesk
from tidings.domain.consent.mark import ConsentMark, resolve
from tidings.domain.consent.opt_in import NO_OPT_IN, OptIn
from tidings.domain.consent.scope import EVERYTHING
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.probe import OwnerProbe
from tidings.ports.errors import LockTimeout, StateUnreadable
from tidings.ports.tokens import LockKind


class Bench:
    """The real adapters on one state folder."""

    def __init__(
        self, state: str, *, default_of: Callable[[str], OptIn] = lambda _key: NO_OPT_IN
    ) -> None:
        self.state = state
        self._default_of = default_of
        processes = native_processes(state_folder=state)
        self.clock = SystemClock(boot_id=processes.place().boot_id)
        self.locks = FcntlLocks(os.path.join(state, "locks"))
        self.marks = FileConsentMarks(os.path.join(state, "consent"), codec=JsonCodec())
        self.probe = OwnerProbe(processes=processes, sockets=LstatSocketNodes())
        self.desk = self.desk_on(self.marks)
        self.log = os.path.join(state, "deliveries.log")

    def desk_on(self, marks: FileConsentMarks) -> ConsentDesk:
        """The desk on these marks."""
        return ConsentDesk(
            marks=marks,
            locks=self.locks,
            clock=self.clock,
            probe=self.probe,
            default_of=self._default_of,
            registered=lambda _key: None,
        )

    def mark(self, key: str) -> ConsentMark:
        """The mark that counts; there must be one."""
        mark = resolve(key, self.marks.read(key))
        assert isinstance(mark, ConsentMark), mark
        return mark


def say(word: str) -> None:
    """One line to whoever started this process."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def reap(bench: Bench, owner: SessionOwner) -> None:
    bench.desk.reap()


def greet(bench: Bench, owner: SessionOwner) -> None:
    bench.desk.first_connect(owner)


def arm(bench: Bench, owner: SessionOwner) -> None:
    try:
        bench.desk.arm(owner, cwd="/", scope=EVERYTHING)
    except (StateUnreadable, LockTimeout):
        return  # overtaken by a disarm, which is what the race is about


def deliver(bench: Bench, owner: SessionOwner) -> None:
    """One delivery as D16 does it: under the delivery lock, after looking at consent there."""
    with bench.locks.hold(LockKind.DELIVERY, owner.key, wait_seconds=5):
        if bench.desk.state(owner.key).word is ArmWord.ARMED:
            with open(bench.log, "ab", buffering=0) as log:
                log.write(b"begin\n")
                log.write(b"end\n")


def arm_slowly(bench: Bench, owner: SessionOwner) -> None:
    """Reads under the lock, hangs until its input ends, and only then writes its ON."""
    with bench.locks.hold(LockKind.CONSENT, owner.key, wait_seconds=5):
        before = resolve(owner.key, bench.marks.read(owner.key))
        assert isinstance(before, ConsentMark)
        say("read")
        sys.stdin.readline()
        change = Change(owner=owner, cwd="/", now=bench.clock.now())
        bench.marks.write(owner.key, armed_mark(before, change, EVERYTHING).to_document())


ROLES: dict[str, Callable[[Bench, SessionOwner], None]] = {
    role.__name__: role for role in (reap, greet, arm, deliver, arm_slowly)
}


def main() -> None:
    state, role, pid = sys.argv[1:]
    bench = Bench(state)
    owner = bench.probe.capture(int(pid), socket_path=None)
    say("ready")
    rounds = 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        ROLES[role](bench, owner)
        rounds += 1
        if role == "arm_slowly":
            break
    say(str(rounds))


if __name__ == "__main__":
    main()
