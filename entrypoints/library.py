"""The library: what other tools embed. No daemon, no thread, no signal handler, nothing printed.

    with Tidings.open() as tidings:
        me = tidings.join("mux")
        receipt = me.send("api", "the API changed, re-run your tests")
        if isinstance(receipt, Refused):
            raise SystemExit(f"{receipt.text} {receipt.next_step}")
        progress = tidings.wait(receipt.ref, until="answered", timeout=600)

Outcomes are values with a closed set of reasons; errors are ``TidingsError`` and its kinds. Every
call is bounded. Importing this module is cheap: the rest is loaded when something is opened.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Self

from tidings.domain.messages.send_outcome import Receipt, Refused
from tidings.entrypoints.embedding.arguments import expect, expect_path, seconds_of
from tidings.entrypoints.embedding.member import Member
from tidings.entrypoints.embedding.one_process import OfOneProcess
from tidings.entrypoints.embedding.operator import Operator
from tidings.entrypoints.embedding.values import (
    Archive,
    InboxMessage,
    Progress,
    Session,
    past_progress,
    progress_of,
)
from tidings.ports.errors import (
    Ambiguous,
    LockTimeout,
    NotAllowed,
    NotFound,
    NotRunning,
    OwnerUnprovable,
    StateUnreadable,
    StateUnwritable,
    StoreLocked,
    StoreMalformed,
    TidingsError,
    UsageError,
)

if TYPE_CHECKING:
    from datetime import timedelta
    from types import TracebackType

    from tidings.entrypoints.application import Application, Ports

__all__ = [
    "Ambiguous",
    "Archive",
    "InboxMessage",
    "LockTimeout",
    "Member",
    "NotAllowed",
    "NotFound",
    "NotRunning",
    "Operator",
    "OwnerUnprovable",
    "Progress",
    "Receipt",
    "Refused",
    "Session",
    "StateUnreadable",
    "StateUnwritable",
    "StoreLocked",
    "StoreMalformed",
    "Tidings",
    "TidingsError",
    "UsageError",
]

Until = Literal["outcome", "seen", "answered"]


class Tidings(OfOneProcess):
    """One open state folder, for the process that opened it. Use it as a context manager, or call
    ``close``. In a process that was forked since, every call raises ``UsageError``, and ``close``
    does nothing: what was joined is the parent's."""

    def __init__(self, app: "Application") -> None:
        super().__init__(app)
        self._joined: dict[str, Member] = {}

    @classmethod
    def open(cls, home: str | None = None) -> Self:
        """The state in ``home``, else in ``$TIDINGS_HOME``, else under the XDG state directory.

        Nothing is created before something is written. Raises ``StateUnwritable`` where there is
        no place for state at all.
        """
        import os

        from tidings.entrypoints.assembly import open_application

        if home is not None:
            expect_path(home, "home is the path of a folder")

        return cls(open_application(os.environ, home=home))

    @classmethod
    def in_memory(cls, ports: "Ports | None" = None) -> Self:
        """A twin in this process's memory, for tests: same rules, no file, gone with the object.

        ``ports`` is the world to stand on: a ``tidings.testing.MemoryPorts`` whose clock and
        processes the test moves. Two that share one meet each other. See docs/embedding.md.
        """
        from tidings.entrypoints.application import Application
        from tidings.entrypoints.twin import MemoryPorts

        return cls(Application(MemoryPorts() if ports is None else ports))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends what ``join`` began through this object. Calling it twice is harmless.

        Every member is tried; then the first error, if any, is raised. In a forked child nothing
        is ended.
        """
        if not self._is_here():
            return
        members = list(self._joined.values())
        self._joined.clear()
        errors = [error for member in members if (error := _parting(member)) is not None]
        if errors:
            raise errors[0]

    def join(self, name: str) -> "Member":
        """Makes this process an agent that can be written to; the agent ends with the process.

        The address is ``name`` in an address's form, with ``-2``, ``-3`` … when it is taken. The
        same name again in the same process is the same agent. Raises ``OwnerUnprovable`` where
        the platform cannot tell this process from a later one with its number, ``UsageError`` for
        a blank name and one of more than 128 characters.
        """
        from tidings.domain.sessions.labels import LONGEST_LABEL
        from tidings.entrypoints.surroundings import joined_thread, standing_folder
        from tidings.ports.tokens import Provider

        expect(name, str, "a name is text")
        if not name.strip():
            raise UsageError("an agent needs a name")
        if len(name) > LONGEST_LABEL:
            raise UsageError(f"an agent's name has at most {LONGEST_LABEL} characters")
        owner = self._app.probe.capture(
            self._app.probe.self_pid(), socket_path=None, thread_id=joined_thread(name)
        )
        cwd = standing_folder()
        self._app.roster.register(
            owner, provider=Provider.PROCESS, session_id="", label=name, cwd=cwd, name=name
        )
        self._app.desk.tidy()
        activation = self._app.admission.admit(
            owner,
            provider=Provider.PROCESS,
            conversation_id=owner.key,
            label=name,
            cwd=cwd,
            wanted=[name],
        )
        member = Member(self._app, activation, owner)
        return self._joined.setdefault(activation.activation_id, member)

    def operator(self, client: str) -> "Operator":
        """What a person types through your program, sent as that: only code inside a process can.

        ``client`` names the program: 1 to 32 of ``a-z``, ``0-9`` and ``-``, a letter first. Raises
        ``UsageError`` for another name. It proves nothing, and the frame says so.
        """
        from tidings.domain.messages.origin import operator_fault
        from tidings.domain.messages.receipt import refused

        expect(client, str, "a client's name is text")
        fault = operator_fault(client)
        if fault:
            words = refused("operator-client-invalid")
            raise UsageError(f"{words.reason}: {fault}", next_step=words.next_step)
        return Operator(self._app, client)

    def sessions(self) -> Sequence[Session]:
        """Every session that is not proven dead, in the order of their start. Reads only."""
        from tidings.domain.registration.shape import Shape
        from tidings.ports.tokens import Verdict

        return tuple(
            Session(
                address=one.activation.address,
                agent_uid=one.activation.agent_uid,
                provider=one.activation.provider,
                pid=one.activation.owner.pid,
                cwd=one.activation.cwd,
                liveness=str(one.verdict),
                consent=str(self._app.desk.state(one.activation.session_key).word),
                reachable=one.shape is Shape.READY,
            )
            for one in self._app.admission.living()
            if one.verdict is not Verdict.DEAD
        )

    def integrity(self) -> Sequence[str]:
        """What is wrong with the store, a line each; empty where it is sound. Repairs nothing."""
        return self._app.ports.store.integrity()

    def backup(self, file: str) -> None:
        """Copies the store as it is now to a new ``file``. Raises ``StateUnwritable``."""
        expect_path(file, "a backup goes to the path of a file")
        self._app.ports.store.backup(file)

    def export_history(self, file: str) -> int:
        """Writes what is kept of messages that left, a JSON line each, to ``file``; how many.

        Raises ``StateUnwritable``; what was there before is then intact.
        """
        from tidings.entrypoints.keeping import export_history

        expect_path(file, "history goes to the path of a file")
        return export_history(self._app, file)

    @staticmethod
    def read_history(file: str) -> Archive:
        """What an export tells, without the store: takes no lock, opens no database, changes nothing.

        Torn and foreign lines are skipped and counted; of two lines with one ref the later counts.
        Raises ``StateUnreadable`` for a file that is not there or may not be read.
        """
        from tidings.entrypoints.keeping import read_history

        expect_path(file, "an export is read from the path of a file")
        lines, skipped = read_history(file)
        return Archive(lines=lines, skipped=skipped)

    def show(self, ref: str) -> Progress:
        """Where a message stands, or what became of one that left the store. ``ref`` whole or
        short; raises ``NotFound`` and ``Ambiguous``."""
        expect(ref, str, "a ref is text")
        past = self._app.post_office.past(ref)
        if past is not None:
            return past_progress(past, reached=True)
        return progress_of(self._app, self._app.post_office.view(ref), reached=True)

    def wait(
        self, ref: str, *, until: Until = "outcome", timeout: "float | timedelta" = 600.0
    ) -> Progress:
        """Blocks until the message is ``until``, cannot get there, or ``timeout`` (s) is over.

        Raises ``UsageError`` for another word, and for a timeout that is no finite number.
        """
        from tidings.domain.messages.past import receipt_of_past
        from tidings.entrypoints.following import Milestone, follow, reached

        expect(ref, str, "a ref is text")
        seconds = seconds_of(timeout)
        if until not in list(Milestone):
            raise UsageError(f"there is no wait until {until!r}: {', '.join(Milestone)}")
        if not abs(seconds) < float("inf"):
            raise UsageError(f"a timeout is a finite number of seconds, not {seconds:g}")
        wanted = Milestone(until)
        past = self._app.post_office.past(ref)
        if past is not None:
            return past_progress(past, reached=reached(receipt_of_past(past), wanted))
        view = follow(self._app, ref, wanted, seconds=seconds)
        return progress_of(self._app, view, reached=reached(view, wanted))


def _parting(member: Member) -> TidingsError | None:
    try:
        member.leave()
    except TidingsError as error:
        return error
    return None
