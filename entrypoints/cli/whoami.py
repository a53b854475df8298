"""``tidings whoami``: who the caller is, and how that is proved."""

from collections.abc import Sequence
from typing import assert_never

from tidings.domain.identity.caller import Caller, ScriptCaller, SessionCaller, TerminalCaller
from tidings.entrypoints.cli.desk import Call, open_call
from tidings.entrypoints.cli.output import write_json, write_line
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.ports.codec import Document


def run(words: Sequence[str]) -> int:
    """Prints the caller; always exit 0, since everybody is somebody."""
    parser = VerbParser("whoami")
    parser.option("--json")
    options = parser.read(words)
    call = open_call()
    row = _describe(call)
    if options.json:
        write_json(row)
    else:
        write_line(f"{row['who']}: {row['proof']}")
        for variable in _ignored(call.caller):
            write_line(f"{variable} names another process and was ignored")
    return 0


def _describe(call: Call) -> Document:
    match call.caller:
        case SessionCaller() as caller:
            return _session(call, caller)
        case TerminalCaller(tty=tty):
            proof = "a controlling terminal and no agent above it: evidence of a person, not proof"
            return {"kind": "terminal", "who": f"the operator at {tty}", "proof": proof}
        case ScriptCaller():
            proof = "neither a terminal nor an agent above it"
            return {"kind": "script", "who": "a script", "proof": proof}
        case _:
            assert_never(call.caller)


def _session(call: Call, caller: SessionCaller) -> Document:
    key = caller.session_key
    activation = call.app.admission.activation_of(key) if key is not None else None
    proof = f"process {caller.pid} is the nearest harness above this command"
    row: Document = {"kind": "session", "pid": caller.pid, "session": key, "proof": proof}
    if activation is None:
        said = "an unregistered session" if key is None else "a session without an agent"
        return {**row, "who": f"{said}, process {caller.pid}"}
    return {
        **row,
        "who": activation.address,
        "address": activation.address,
        "agent_uid": activation.agent_uid,
        "activation_id": activation.activation_id,
        "provider": activation.provider,
    }


def _ignored(caller: Caller) -> tuple[str, ...]:
    return caller.ignored if isinstance(caller, SessionCaller) else ()
