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

from collections.abc import Collection, Mapping, Sequence
from os import PathLike, fsencode, getpid
from typing import TYPE_CHECKING, Literal, Self

from tidings.domain.messages.send_outcome import Receipt, Refused
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
from tidings.ports.values import dataclass

if TYPE_CHECKING:
    from datetime import timedelta
    from types import TracebackType, UnionType

    from tidings.domain.consent.arming import ArmState
    from tidings.domain.identity.owner import SessionOwner
    from tidings.domain.messages.frame import Frame
    from tidings.domain.messages.receipt import MessageView
    from tidings.domain.messages.wishes import Wishes
    from tidings.entrypoints.application import Application, Ports
    from tidings.ports.agents import ActivationRow
    from tidings.ports.history import HistoryRow

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
Moment = Literal["now", "turn-end", "idle"]

DAY_SECONDS = 86_400
MICROSECOND_NS = 1_000
LONGEST_FLOAT = 1e300


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One living session: its address, and what is known of it now.

    ``liveness`` is ``alive``, ``dead`` or ``unknown``; ``consent`` is the arm word; ``reachable``
    means that its resident is registered and proved alive.
    """

    address: str
    agent_uid: str
    provider: str
    pid: int
    cwd: str
    liveness: str
    consent: str
    reachable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxMessage:
    """A message that was pulled: whole, with the sender as it was proved.

    ``sender`` is the address of an agent, else the kind of origin. ``proof`` names what Tidings
    saw of the sender; it claims no more.
    """

    ref: str
    sender: str
    proof: str
    text: str
    reply_to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a message stands. ``reached`` says whether the wait got what it waited for.

    ``answer`` is the answer's text, or None; it leaves the store with its message. A timeout is this value with ``reached`` false.
    """

    ref: str
    reached: bool
    state: str
    evidence: str
    reason: str
    text: str
    next_step: str
    answer: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """An export of history as it was read: one line a message, by its ref, in the order of leaving.

    ``lines`` have the keys of the export, such as ``messageRef``, ``state``, ``deliveryReason`` and
    ``evictedAt``; a file of another version may lack some. ``skipped`` counts what did not read.
    """

    lines: Sequence[Mapping[str, object]]
    skipped: int


class _OfOneProcess:
    """What one process opened. A child that it forked is another process: for that nothing here
    works, since every use would be made in its parent's name (P1)."""

    def __init__(self, app: "Application") -> None:
        self._opened = app
        self._opener = getpid()

    @property
    def _app(self) -> "Application":
        if not self._is_here():
            raise UsageError(
                f"this was opened by process {self._opener}, and this is its child {getpid()}",
                next_step="call Tidings.open() in each process, after the fork",
            )
        return self._opened

    def _is_here(self) -> bool:
        return getpid() == self._opener


class Tidings(_OfOneProcess):
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
            _expect_path(home, "home is the path of a folder")

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

        _expect(name, str, "a name is text")
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

        _expect(client, str, "a client's name is text")
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
        _expect_path(file, "a backup goes to the path of a file")
        self._app.ports.store.backup(file)

    def export_history(self, file: str) -> int:
        """Writes what is kept of messages that left, a JSON line each, to ``file``; how many.

        Raises ``StateUnwritable``; what was there before is then intact.
        """
        from tidings.entrypoints.keeping import export_history

        _expect_path(file, "history goes to the path of a file")
        return export_history(self._app, file)

    @staticmethod
    def read_history(file: str) -> Archive:
        """What an export tells, without the store: takes no lock, opens no database, changes nothing.

        Torn and foreign lines are skipped and counted; of two lines with one ref the later counts.
        Raises ``StateUnreadable`` for a file that is not there or may not be read.
        """
        from tidings.entrypoints.keeping import read_history

        _expect_path(file, "an export is read from the path of a file")
        lines, skipped = read_history(file)
        return Archive(lines=lines, skipped=skipped)

    def show(self, ref: str) -> Progress:
        """Where a message stands, or what became of one that left the store. ``ref`` whole or
        short; raises ``NotFound`` and ``Ambiguous``."""
        _expect(ref, str, "a ref is text")
        past = self._app.post_office.past(ref)
        if past is not None:
            return _past_progress(past, reached=True)
        return _progress(self._app, self._app.post_office.view(ref), reached=True)

    def wait(
        self, ref: str, *, until: Until = "outcome", timeout: "float | timedelta" = 600.0
    ) -> Progress:
        """Blocks until the message is ``until``, cannot get there, or ``timeout`` (s) is over.

        Raises ``UsageError`` for another word, and for a timeout that is no finite number.
        """
        from tidings.domain.messages.past import receipt_of_past
        from tidings.entrypoints.following import Milestone, follow, reached

        _expect(ref, str, "a ref is text")
        seconds = _seconds(timeout)
        if until not in list(Milestone) or not abs(seconds) < float("inf"):
            raise UsageError(f"there is no wait until {until!r} for {seconds:g} s")
        wanted = Milestone(until)
        past = self._app.post_office.past(ref)
        if past is not None:
            return _past_progress(past, reached=reached(receipt_of_past(past), wanted))
        view = follow(self._app, ref, wanted, seconds=seconds)
        return _progress(self._app, view, reached=reached(view, wanted))


class Member(_OfOneProcess):
    """This process as an agent. Made by ``Tidings.join``; it pulls, nothing is pushed at it. In a
    forked child every call raises ``UsageError``: that is another process."""

    def __init__(
        self, app: "Application", activation: "ActivationRow", owner: "SessionOwner"
    ) -> None:
        super().__init__(app)
        self._activation = activation
        self._owner = owner
        self._left = False

    @property
    def address(self) -> str:
        """The address others write to."""
        return self._activation.address

    @property
    def agent_uid(self) -> str:
        """The routable identity behind the address."""
        return self._activation.agent_uid

    def send(
        self,
        target: str,
        text: str,
        *,
        ttl: "timedelta | None" = None,
        ref: str | None = None,
        allow_self: bool = False,
        when: Moment = "now",
        key: str | None = None,
    ) -> Receipt | Refused:
        """Writes to the living session ``target`` names. Returns once the message is on disk.

        ``ttl`` is more than zero and at most 7 days, 2 h by default. ``ref`` makes a retry: the
        same ref and words return the stored message and nothing is sent again. ``allow_self``: the
        target may be this agent. ``when`` holds it until no turn runs, or none has run for 30 s.
        ``key`` (1 to 64 plain characters) ends what this agent still has waiting there under the
        same key. Raises ``NotFound``, ``Ambiguous``, ``NotRunning``, ``StoreLocked``,
        ``StateUnwritable``, and ``UsageError`` for another moment or a value of another type.
        """
        return self._send(
            target, text, ttl=ttl, ref=ref, allow_self=allow_self, wishes=_wishes(when, key)
        )

    def notify(
        self,
        target: str,
        text: str,
        *,
        ttl: "timedelta | None" = None,
        ref: str | None = None,
        key: str | None = None,
        wake: bool = False,
    ) -> Receipt | Refused:
        """Leaves a notice for the session ``target`` names: it waits, held ``awaiting-turn``, and
        goes out right before the next message that may start a turn.

        ``wake`` lets it start one itself where the session was armed with ``--wake`` too. The rest
        is as ``send``; nobody answers a notice.
        """
        from tidings.domain.messages.origin import AGENT_CLIENT
        from tidings.ports.values import replace

        _expect(wake, bool, "wake is True or False")
        wishes = replace(_wishes("now", key), wake=wake)
        return self._send(target, text, ttl=ttl, ref=ref, wishes=wishes, client=AGENT_CLIENT)

    def answer(self, ref: str, text: str) -> Receipt | Refused:
        """Answers a message that ``inbox`` gave; ``ref`` is its whole ref."""
        from tidings.domain.messages.provenance import Proof

        _expect(ref, str, "a ref is text")
        _expect_type(text, str, "an answer is text")
        return self._app.post_office.answer(
            ref, text, replier=self._present(), proof=Proof.OWN_PROCESS
        )

    def inbox(self, *, limit: int = 32) -> Sequence[InboxMessage]:
        """Takes what waits for this agent, oldest first, at most ``limit``; marked before it is
        handed over, so nothing is ever given twice."""
        from tidings.domain.messages.frame import Frame
        from tidings.domain.messages.outcomes import Delivered, Settled

        _expect(limit, int, "limit is a whole number")
        frames: list[Frame] = []
        while len(frames) < limit:
            outcome = self._app.inbox.pull(self._activation.activation_id, frames.append)
            if not isinstance(outcome, Delivered | Settled):
                break
        return tuple(_inbox_message(frame) for frame in frames)

    def arm(
        self,
        *,
        senders: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        duration: "timedelta | None" = None,
    ) -> "ArmState":
        """Lets this agent hear: everything, or only ``senders`` and ``kinds``, for ``duration``.

        ``senders`` are addresses of living sessions, ``agent:UID``, ``you`` or ``automation``;
        ``kinds`` are kinds of message. Raises ``UsageError`` for an unknown kind and for a duration
        of zero or less, ``NotFound`` and its like for an unknown sender.
        """
        from tidings.domain.consent.scope import ConsentScope
        from tidings.domain.messages.origin import MessageKind
        from tidings.entrypoints.senders import stored_senders

        _expect_names(senders, "senders")
        _expect_names(kinds, "kinds")
        unknown = [kind for kind in kinds or () if kind not in list(MessageKind)]
        if unknown:
            raise UsageError(f"{unknown[0]!r} is no kind of message: {', '.join(MessageKind)}")
        lasts_ns = None if duration is None else _nanoseconds(duration, "duration")
        if lasts_ns is not None and lasts_ns <= 0:
            raise UsageError("a duration must be more than zero")
        now_ns = self._app.ports.clock.now().wall_ns
        scope = ConsentScope(
            senders=None if senders is None else stored_senders(self._app, senders),
            kinds=None if kinds is None else tuple(dict.fromkeys(kinds)),
            until_ns=None if lasts_ns is None else now_ns + lasts_ns,
        )
        return self._app.desk.arm(self._owner, cwd=self._activation.cwd, scope=scope)

    def disarm(self) -> bool:
        """Withdraws that at once. False: one delivery was still under way after 3 s."""
        from tidings.domain.consent.desk import Barrier

        done = self._app.desk.disarm(self._owner, cwd=self._activation.cwd)
        self._app.post_office.withdraw(self._activation.agent_uid)
        return done.barrier is Barrier.PASSED

    def leave(self) -> None:
        """Ends this run of the agent; what waits for it ends as stale. Twice is harmless."""
        if self._left:
            return
        self._app.admission.end(self._activation.activation_id, reason="left")
        self._left = True
        self._app.post_office.settle_due(self._activation.agent_uid)

    def _send(
        self,
        target: str,
        text: str,
        *,
        ttl: "timedelta | None",
        ref: str | None,
        wishes: "Wishes",
        allow_self: bool = False,
        client: str = "",
    ) -> Receipt | Refused:
        """A message of this agent, or with a ``client`` its notice."""
        from tidings.domain.messages.drafts import Draft
        from tidings.domain.messages.limits import DEFAULT_TTL_NS
        from tidings.domain.messages.origin import MessageKind
        from tidings.domain.messages.provenance import Proof
        from tidings.entrypoints.surroundings import place_of

        _expect(target, str, "a target is text")
        _expect_type(text, str, "a message is text")
        _expect(ref, str | None, "a ref is text or None")
        draft = Draft(
            source=self._present(),
            target=self._app.target_of(target, ref=ref),
            kind=MessageKind.NOTICE if client else MessageKind.AGENT,
            text=text,
            proof=Proof.OWN_PROCESS,
            client=client,
            place=place_of(self._activation.cwd),
            ttl_ns=DEFAULT_TTL_NS if ttl is None else _nanoseconds(ttl, "ttl"),
            ref=ref,
            allow_self=allow_self,
            wishes=wishes,
        )
        return self._app.post_office.send(draft)

    def _present(self) -> "ActivationRow":
        if self._left:
            raise NotRunning(f"{self._activation.address} has left")
        return self._activation


class Operator(_OfOneProcess):
    """A person at an in-process client (M 9). Made by ``Tidings.operator``.

    What it sends is coordination like any other, with consent and holds as for anybody; it goes to
    Claude sessions only and takes no answers.
    """

    def __init__(self, app: "Application", client: str) -> None:
        super().__init__(app)
        self._client = client

    @property
    def client(self) -> str:
        """The program's name."""
        return self._client

    def send(
        self,
        target: str,
        text: str,
        *,
        ttl: "timedelta | None" = None,
        ref: str | None = None,
        when: Moment = "now",
        key: str | None = None,
    ) -> Receipt | Refused:
        """Writes to the Claude session ``target`` names; parameters and errors as ``Member.send``."""
        from tidings.domain.messages.drafts import Draft
        from tidings.domain.messages.limits import DEFAULT_TTL_NS
        from tidings.domain.messages.origin import MessageKind
        from tidings.domain.messages.provenance import Proof

        _expect(target, str, "a target is text")
        _expect_type(text, str, "a message is text")
        _expect(ref, str | None, "a ref is text or None")
        return self._app.post_office.send(
            Draft(
                source=None,
                target=self._app.target_of(target, ref=ref),
                kind=MessageKind.OPERATOR,
                text=text,
                proof=Proof.NONE,
                client=self._client,
                ttl_ns=DEFAULT_TTL_NS if ttl is None else _nanoseconds(ttl, "ttl"),
                ref=ref,
                wishes=_wishes(when, key),
            )
        )


def _wishes(when: str, key: str | None) -> "Wishes":
    from tidings.domain.messages.wishes import When, Wishes

    _expect(when, str, "a moment is text")
    _expect(key, str | None, "a key is text or None")
    if when not in tuple(When):
        raise UsageError(f"there is no moment {when!r}: {', '.join(When)}")
    return Wishes(when=When(when), supersede_key=key or "")


def _parting(member: Member) -> TidingsError | None:
    try:
        member.leave()
    except TidingsError as error:
        return error
    return None


def _progress(app: "Application", view: "MessageView", *, reached: bool) -> Progress:
    answer = view.row.answer_ref
    return Progress(
        ref=view.row.ref,
        reached=reached,
        state=str(view.state),
        evidence=str(view.evidence),
        reason=view.row.reason,
        text=view.text,
        next_step=view.next_step,
        answer=None if answer is None else app.post_office.text_of(answer),
    )


def _past_progress(past: "HistoryRow", *, reached: bool) -> Progress:
    from tidings.domain.messages.past import receipt_of_past

    receipt = receipt_of_past(past)
    return Progress(
        ref=receipt.ref,
        reached=reached,
        state=str(receipt.state),
        evidence=str(receipt.evidence),
        reason=receipt.reason,
        text=receipt.text,
        next_step=receipt.next_step,
        answer=None,
    )


def _inbox_message(frame: "Frame") -> InboxMessage:
    return InboxMessage(
        ref=frame.message_ref,
        sender=frame.address or str(frame.kind),
        proof=str(frame.proof),
        text=frame.shown,
        reply_to=frame.reply_to,
    )


def _expect(value: object, kind: "type | UnionType", rule: str) -> None:
    """The one door for what callers hand in: as ``_expect_type``, and no text that UTF-8 cannot
    hold. What a message may say is judged with the message, and refused as a value."""
    _expect_type(value, kind, rule)
    if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise UsageError(f"{rule} that UTF-8 can hold, not {value[:40]!r}")


def _expect_type(value: object, kind: "type | UnionType", rule: str) -> None:
    """Callers without a type checker are told what is wanted, not what went wrong inside."""
    if not isinstance(value, kind):
        raise UsageError(f"{rule}, not {type(value).__name__}")


def _expect_path(file: "str | PathLike[str]", rule: str) -> None:
    """A path may hold any byte but NUL, as Python spells it."""
    _expect_type(file, str | PathLike, rule)
    if not _is_path(file):
        raise UsageError(f"{rule}, not {repr(file)[:40]}")


def _is_path(file: "str | PathLike[str]") -> bool:
    try:
        return b"\0" not in fsencode(file)
    except UnicodeEncodeError:
        return False


def _expect_names(names: "Collection[object] | None", what: str) -> None:
    """A bare text is a collection too, of its letters; nobody means that."""
    rule = f"{what} is a list of texts"
    if isinstance(names, str):
        raise UsageError(f"{rule}, not str")
    _expect(names, Collection | None, rule)
    for name in names or ():
        _expect(name, str, f"{rule}, each of them a text")


def _seconds(timeout: "float | timedelta") -> float:
    from datetime import timedelta

    if isinstance(timeout, timedelta):
        return timeout.total_seconds()
    _expect(timeout, int | float, "timeout is seconds or a timedelta")
    return float(timeout) if abs(timeout) < LONGEST_FLOAT else float("inf")


def _nanoseconds(duration: "timedelta", what: str) -> int:
    from datetime import timedelta

    _expect(duration, timedelta, f"{what} is a datetime.timedelta, such as timedelta(minutes=30)")
    microseconds = (duration.days * DAY_SECONDS + duration.seconds) * 1_000_000
    return (microseconds + duration.microseconds) * MICROSECOND_NS
