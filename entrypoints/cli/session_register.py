"""``tidings session register``: writes or refreshes the presence record of the session around it."""

import os
from collections.abc import Sequence

from tidings.domain.identity.caller import SessionCaller
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.sessions.labels import LONGEST_LABEL, choose_label
from tidings.domain.sessions.record import SessionRecord
from tidings.domain.sessions.row import SessionRow
from tidings.entrypoints.cli.desk import Call, open_call
from tidings.entrypoints.cli.output import tell_done
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.cli.session_words import label_of, pid_of
from tidings.entrypoints.cli.subject import claimed_owner, warn_ignored
from tidings.entrypoints.surroundings import storable, working_folder
from tidings.ports.errors import UsageError
from tidings.ports.presence import HarnessSighting
from tidings.ports.tokens import Provider
from tidings.ports.values import dataclass

SESSION_ID_VARIABLES = ("TIDINGS_SESSION_ID", "CLAUDE_CODE_SESSION_ID")
LONGEST_SESSION_ID = 256
ABOVE = "ancestor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The session to register, and how it was named."""

    owner: SessionOwner
    source: str
    verified: bool
    provider: Provider
    name: str = ""


def run(words: Sequence[str]) -> int:
    """Registers, prunes the dead under the same lock, and prints the row."""
    parser = VerbParser("session register")
    parser.option("--agent")
    parser.option("--json")
    options = parser.read(words)
    _require_short("--agent", options.agent or "", LONGEST_LABEL)
    call = open_call()
    warn_ignored(call, as_json=options.json)
    cwd = working_folder()
    if not cwd:
        raise UsageError("the working directory is gone", next_step="cd to a folder that exists")
    row = _register(call, _named(call), label=options.agent, cwd=cwd)
    said = f"{pid_of(row)} is registered as {label_of(row) or '(anonymous)'}: {row.record.path}"
    return tell_done(said, row.to_document(), code=0, as_json=options.json)


def _register(call: Call, named: Named, *, label: str | None, cwd: str) -> SessionRow:
    """A label that is passed wins, the empty one too; else the resolver of S 2.2 decides."""
    app = call.app
    if label is None:
        label = choose_label(
            registered=app.roster.label_of(named.owner) if named.verified else "",
            repository=app.defaults.label_of(cwd),
            environment=os.environ,
        )
    row = app.roster.register(
        named.owner,
        provider=named.provider,
        session_id=app.conversation_of(named.owner.key) or _session_id(),
        label=storable(label),
        cwd=cwd,
        name=named.name,
        source=named.source,
        verified=named.verified,
    )
    app.desk.tidy()
    return row


def _named(call: Call) -> Named:
    """The nearest harness above, else what the variables say, else this process (D4, S 2.1)."""
    if isinstance(call.caller, SessionCaller):
        return _above(call, call.caller)
    owner, claim, verified = claimed_owner(call)
    is_claude = claim.source == "CLAUDE_PID" or bool(os.environ.get("CLAUDECODE"))
    return Named(
        owner=owner,
        source=claim.source,
        verified=verified,
        provider=Provider.CLAUDE if is_claude else Provider.PROCESS,
    )


def _above(call: Call, caller: SessionCaller) -> Named:
    sighting, before = caller.sighting, _before(call, caller)
    is_named = os.environ.get("CLAUDE_PID") == str(caller.pid)
    exported = os.environ.get("CLAUDE_CODE_MESSAGING_SOCKET") if is_named else None
    socket_path = exported or (sighting.socket_path if sighting is not None else "")
    return Named(
        owner=call.app.probe.capture(caller.pid, socket_path=socket_path or None),
        source=before.owner_source if before is not None and sighting is None else ABOVE,
        verified=True,
        provider=_provider(sighting, before),
        name=storable(sighting.name) if sighting is not None else "",
    )


def _before(call: Call, caller: SessionCaller) -> SessionRecord | None:
    """What the session is registered as; a refresh changes neither its provider nor its source."""
    row = call.app.roster.show(caller.session_key).record if caller.session_key else None
    return row if isinstance(row, SessionRecord) else None


def _provider(sighting: HarnessSighting | None, before: SessionRecord | None) -> Provider:
    if sighting is not None:
        return sighting.provider
    return before.provider if before is not None else Provider.PROCESS


def _session_id() -> str:
    for variable in SESSION_ID_VARIABLES:
        value = os.environ.get(variable)
        if value:
            _require_short(variable, value, LONGEST_SESSION_ID)
            return storable(value)
    return ""


def _require_short(what: str, text: str, longest: int) -> None:
    if len(text) > longest:
        raise UsageError(f"{what} has {len(text)} characters", next_step=f"use {longest} at most")
