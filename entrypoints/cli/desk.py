"""What every verb needs: the application, the caller, and the session a TARGET names."""

import os

from tidings.domain.identity.caller import Caller, SessionCaller
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.sessions.legacy import LegacySession
from tidings.domain.sessions.record import MalformedSession, SessionRecord
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.terminal import controlling_terminal
from tidings.entrypoints.surroundings import joined_thread
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import NotAllowed, NotFound, StateUnreadable, UsageError
from tidings.ports.values import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a verb: the wired application and who makes the call."""

    app: Application
    caller: Caller

    def own_activation(self) -> ActivationRow | None:
        """The activation of the session the call comes from; None for a terminal or a script."""
        if not isinstance(self.caller, SessionCaller):
            return None
        key = self.caller.session_key
        activation = self.app.admission.activation_of(key) if key is not None else None
        if activation is None:
            raise NotAllowed(
                f"this runs inside a session (process {self.caller.pid}) that is not registered",
                reason="source-not-registered",
                next_step="its client's plugin runs `tidings monitor`; begin a new session",
            )
        return self.app.up_to_date(activation)

    def activation(self, target: str | None) -> ActivationRow:
        """The session ``target`` names, or the caller's own without a target."""
        if target is not None:
            return self.app.admission.resolve(target)
        own = self.own_activation()
        if own is None:
            raise UsageError(
                "which session? no harness is above this shell",
                next_step="name one: `tidings ls` lists them",
            )
        return own

    def owner(self, activation: ActivationRow) -> SessionOwner:
        """Whose consent it is: as its record says, or as the store does where that is unreadable.

        The store knows no socket; that is enough for a no, and for looking at the process.
        """
        try:
            return self.record(activation).owner
        except (NotFound, StateUnreadable):
            return _owner_in_store(activation)

    def record(self, activation: ActivationRow) -> SessionRecord:
        """The session record behind an activation: it names the owner that a mark belongs to."""
        record = self.app.roster.show(activation.session_key).record
        if isinstance(record, SessionRecord):
            return record
        raise StateUnreadable(
            f"the record of {activation.address} cannot be read: {_why(record)}",
            next_step=f"move {record.path} aside; the session writes a new one",
        )


def open_call() -> Call:
    """The call as the kernel shows it. Raises what opening the state raises."""
    app = open_application(os.environ)
    return Call(app=app, caller=app.callers.who(os.environ, controlling_terminal()))


def key_of_process(app: Application, pid: int) -> str:
    """The session key of a process, registered or not. Raises ``OwnerUnprovable``."""
    return app.probe.capture(pid, socket_path=None).key


def forbid_others(call: Call, session_key: str, verb: str) -> None:
    """From inside an agent only its own consent can be changed (D9); others are the operator's."""
    caller = call.caller
    if not isinstance(caller, SessionCaller):
        return
    if session_key != (caller.session_key or key_of_process(call.app, caller.pid)):
        raise NotAllowed(
            f"an agent may {verb} only its own session",
            reason=f"{verb}-not-yours",
            next_step="ask the operator to run it in a terminal",
        )


def _why(record: LegacySession | MalformedSession) -> str:
    return record.why if isinstance(record, MalformedSession) else "it is of an older form"


def _owner_in_store(activation: ActivationRow) -> SessionOwner:
    """A key that is not of the bare process is that of a joined agent, named by its label."""
    owner = SessionOwner(birth=activation.owner, place=activation.place, socket=None)
    if owner.key == activation.session_key:
        return owner
    return replace(owner, thread_id=joined_thread(activation.label))
