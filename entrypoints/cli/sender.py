"""Who sends, as the kernel shows it (D4)."""

from typing import NamedTuple, assert_never

from tidings.domain.identity.caller import ScriptCaller, SessionCaller, TerminalCaller
from tidings.domain.messages.origin import AGENT_CLIENT, MessageKind
from tidings.domain.messages.provenance import Proof
from tidings.entrypoints.cli.desk import Call
from tidings.entrypoints.surroundings import place_of, working_folder
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import NotAllowed

TERMINAL_CLIENT = "terminal"
SCRIPT_CLIENT = "script"


class Sender(NamedTuple):
    """The sender of one call. ``source`` None: no agent."""

    source: ActivationRow | None
    kind: MessageKind
    client: str
    proof: Proof

    @property
    def agent_uid(self) -> str | None:
        """The agent that sends, if one does."""
        return self.source.agent_uid if self.source is not None else None

    def noticing(self) -> "Sender":
        """The same sender with a notice; an agent keeps its proved source (D26)."""
        return self._replace(kind=MessageKind.NOTICE, client=self.client or AGENT_CLIENT)

    @property
    def place(self) -> str:
        """Where the sender works, such as ``shop:main``."""
        return place_of(self.source.cwd if self.source is not None else working_folder())


NO_OPERATOR = Sender(None, MessageKind.PUSH, "", Proof.NONE)
"""Who would have typed a push that an agent tried."""


def sender_of(call: Call, *, named: str | None = None) -> Sender:
    """The session around the call, else its terminal, else nobody: never what a variable says.

    ``named`` is what the caller says of itself (``--source``): it must be the session around the
    call. Raises ``NotAllowed`` otherwise, and what resolving raises for a name that nobody has.
    """
    sender = _sender(call)
    if named is None:
        return sender
    if call.app.admission.resolve(named).agent_uid == sender.agent_uid:
        return sender
    raise NotAllowed(
        f"{named} is not the session around this command",
        reason="source-not-yours",
        next_step="leave --source out; `tidings whoami` tells who sends",
    )


def _sender(call: Call) -> Sender:
    match call.caller:
        case SessionCaller():
            return Sender(call.own_activation(), MessageKind.AGENT, "", Proof.ANCESTRY)
        case TerminalCaller(tty=tty):
            return Sender(None, MessageKind.PUSH, tty or TERMINAL_CLIENT, Proof.TERMINAL)
        case ScriptCaller():
            return Sender(None, MessageKind.AUTOMATION, SCRIPT_CLIENT, Proof.NONE)
        case _:
            assert_never(call.caller)
