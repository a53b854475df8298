"""The session that a verb about presence or consent means, with or without an agent of its own."""

import os

from tidings.domain.consent.mark import ConsentMark, NoMark
from tidings.domain.consent.widening import TRACES, Widening, judge_widening
from tidings.domain.identity.caller import SessionCaller
from tidings.domain.identity.claim import PID_VARIABLES, PidClaim
from tidings.domain.identity.keys import is_session_key
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.sessions.record import SessionRecord
from tidings.entrypoints.cli.desk import Call, key_of_process
from tidings.entrypoints.cli.output import write_error
from tidings.entrypoints.surroundings import working_folder
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import (
    NotAllowed,
    NotFound,
    OwnerUnprovable,
    StateUnreadable,
    UsageError,
)
from tidings.ports.values import dataclass

SESSION_PREFIX = "session:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One session. ``activation`` None: it is registered, or named by a variable, but no agent."""

    owner: SessionOwner
    cwd: str
    activation: ActivationRow | None

    @property
    def key(self) -> str:
        """The session key. An activation's own counts: its owner as stored knows no socket."""
        return self.owner.key if self.activation is None else self.activation.session_key

    @property
    def address(self) -> str:
        """Its address; empty for one that is no agent."""
        return "" if self.activation is None else self.activation.address

    @property
    def name(self) -> str:
        """What a person calls it."""
        return self.address or f"session {self.key}"


def subject_of(call: Call, target: str | None, *, for_yes: bool = False) -> Subject:
    """The session that ``target`` names, or without one the caller's own.

    ``for_yes``: a grant needs the whole owner, socket included, from a readable record. A no needs
    neither record nor store: what was granted can always be taken back by its key. Raises
    ``UsageError`` where neither a harness nor a variable says which, and what resolving raises.
    """
    if target is None:
        return _own(call, for_yes=for_yes)
    try:
        return _of_activation(call, call.app.admission.resolve(target), for_yes=for_yes)
    except (NotFound, StateUnreadable):
        key = target.removeprefix(SESSION_PREFIX)
        subject = _of_key(call, key, for_yes=for_yes) if key != target else None
        if subject is None:
            raise
        return subject


def withdrawn(call: Call, subject: Subject) -> None:
    """What follows a change of consent (``Application.withdrawn``); of one that is no agent nobody
    keeps messages, and only its resident, if it has one, is to look."""
    if subject.activation is None:
        call.app.ports.doorbell.ring(subject.key)
    else:
        call.app.withdrawn(subject.activation)


def warn_ignored(call: Call, *, as_json: bool) -> None:
    """Tells of variables that name another process than the harness above the caller (D4)."""
    if as_json or not isinstance(call.caller, SessionCaller):
        return
    for variable in call.caller.ignored:
        write_error(f"tidings: {variable} names another process and was ignored")


def require_widening(call: Call, subject: Subject, verb: str) -> None:
    """Raises ``NotAllowed`` where the caller may not widen the consent of ``subject`` (D9)."""
    require_operator(call, subject.key, verb)


def require_operator(call: Call, session_key: str, verb: str) -> None:
    """As ``require_widening``; an empty key stands for what concerns every session."""
    judged = judge_widening(
        call.caller, session_key, own_key=_proved_claim(call), environment=os.environ
    )
    match judged:
        case Widening.ALLOWED:
            return
        case Widening.NOT_YOURS:
            raise NotAllowed(
                f"an agent may {verb} only its own session",
                reason=f"{verb}-not-yours",
                next_step="ask the operator to run it in a terminal",
            )
        case Widening.CALLER_UNCLEAR:
            raise NotAllowed(
                f"{verb} is the operator's, and this shell carries variables of a session that is"
                " not above it",
                reason="caller-unclear",
                next_step=f"in a terminal of your own, run it as `env {_unset_words()} tidings ...`",
            )
        case Widening.OPERATOR_NEEDED:
            proposal = ", or let the repository propose it: .tidings.toml" if verb == "arm" else ""
            raise NotAllowed(
                f"{verb} is the operator's, and nobody is at a terminal here",
                reason="operator-needed",
                next_step=f"run it in a terminal{proposal}",
            )


def _unset_words() -> str:
    return " ".join(f"-u {trace}" for trace in TRACES if os.environ.get(trace))


def claimed_owner(call: Call) -> tuple[SessionOwner, PidClaim, bool]:
    """The process that the variables name, else this one; and whether it is proved to be above.

    Only where no harness is above the caller (D4). Raises ``UsageError`` for a malformed variable,
    ``OwnerUnprovable`` for a process that cannot be proved.
    """
    claim, verified = call.app.callers.claimed(os.environ)
    socket_path = os.environ.get("CLAUDE_CODE_MESSAGING_SOCKET") or None
    return call.app.probe.capture(claim.pid, socket_path=socket_path), claim, verified


def has_claim() -> bool:
    """Whether a variable names a process."""
    return any(os.environ.get(variable) for variable in PID_VARIABLES)


def _proved_claim(call: Call) -> str:
    if isinstance(call.caller, SessionCaller) or not has_claim():
        return ""
    owner, _claim, verified = claimed_owner(call)
    return owner.key if verified else ""


def _own(call: Call, *, for_yes: bool) -> Subject:
    if isinstance(call.caller, SessionCaller):
        return _of_caller(call, call.caller, for_yes=for_yes)
    if not has_claim():
        raise UsageError(
            "which session? no harness is above this shell",
            next_step="name one: `tidings ls` lists them",
        )
    owner, _claim, _verified = claimed_owner(call)
    registered = _of_key(call, owner.key, for_yes=True)
    if registered is not None:
        return registered
    activation = _activation_of(call, owner.key)
    return Subject(owner=owner, cwd=working_folder(), activation=activation)


def _of_caller(call: Call, caller: SessionCaller, *, for_yes: bool) -> Subject:
    """A session whose record does not read can still take back what its mark says."""
    key = caller.session_key
    if key is None and not for_yes:
        unread = key_of_process(call.app, caller.pid)
        key = None if isinstance(call.app.consent.mark(unread), NoMark) else unread
    subject = _of_key(call, key, for_yes=for_yes) if key is not None else None
    if subject is not None:
        return subject
    return _of_activation(call, call.activation(None), for_yes=for_yes)


def _of_activation(call: Call, activation: ActivationRow, *, for_yes: bool) -> Subject:
    owner = call.record(activation).owner if for_yes else call.owner(activation)
    return Subject(owner=owner, cwd=activation.cwd, activation=activation)


def _of_key(call: Call, key: str, *, for_yes: bool) -> Subject | None:
    record = _record_of(call, key)
    activation = _activation_of(call, key)
    if record is not None:
        return Subject(owner=record.owner, cwd=record.cwd, activation=activation)
    if for_yes:
        return None
    if activation is not None:
        return Subject(owner=call.owner(activation), cwd=activation.cwd, activation=activation)
    owner = _owner_without_record(call, key)
    return None if owner is None else Subject(owner=owner, cwd="", activation=None)


def _owner_without_record(call: Call, key: str) -> SessionOwner | None:
    """As its mark says, or as the process is whose key this is."""
    mark = call.app.consent.mark(key)
    if isinstance(mark, ConsentMark):
        return mark.owner
    if not is_session_key(key):
        return None
    try:
        owner = call.app.probe.capture(int(key.partition("-")[0]), socket_path=None)
    except OwnerUnprovable:
        return None
    return owner if owner.key == key else None


def _activation_of(call: Call, key: str) -> ActivationRow | None:
    """None as well where the store cannot tell: consent does not wait for it."""
    try:
        return call.app.admission.activation_of(key)
    except StateUnreadable:
        return None


def _record_of(call: Call, key: str) -> SessionRecord | None:
    try:
        record = call.app.roster.show(key).record
    except (NotFound, StateUnreadable):
        return None
    return record if isinstance(record, SessionRecord) else None
