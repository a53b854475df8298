"""What children of a harness find in their environment (H 2, H 4, H 9)."""

from collections.abc import Mapping

from tidings.entrypoints.simulated.options import SessionKind
from tidings.entrypoints.simulated.state import HarnessState


def hook_environment(base: Mapping[str, str], state: HarnessState) -> dict[str, str]:
    """For a hook. The messaging variables are there only while the socket is open (H 2)."""
    return {**_common(base, state), "AI_AGENT": _agent(state, "harness")}


def child_environment(base: Mapping[str, str], state: HarnessState) -> dict[str, str]:
    """For a plugin monitor or the Bash tool's shell: these also learn the client's command."""
    return {
        **_common(base, state),
        "AI_AGENT": _agent(state, "agent"),
        "CLAUDE_CODE_EXECPATH": state.places.command,
        "CLAUDE_PLUGIN_ROOT": state.places.plugin,
        "CLAUDE_PLUGIN_DATA": state.places.plugin + "-data",
    }


def entrypoint_of(kind: SessionKind) -> str:
    """How variables and record call the way in (H 2, H 3)."""
    return "sdk-cli" if kind is SessionKind.PRINT else "cli"


def _common(base: Mapping[str, str], state: HarnessState) -> dict[str, str]:
    cwd, kind = state.options.cwd, state.options.kind
    is_attended = kind is SessionKind.INTERACTIVE
    environment = {
        **base,
        "PWD": cwd,
        "CLAUDECODE": "1",
        "CLAUDE_PID": str(state.pid),
        "CLAUDE_PROJECT_DIR": cwd,
        "CLAUDE_CODE_SESSION_ID": state.session_id,
        "CLAUDE_CODE_ENTRYPOINT": entrypoint_of(kind),
        "CLAUDE_CODE_SESSION_ATTENDED": "1" if is_attended else "0",
        "CLAUDE_CODE_CHILD_SESSION": "1",
    }
    if state.is_reachable:
        environment["CLAUDE_CODE_MESSAGING_SOCKET"] = state.places.socket
        environment["CLAUDE_CODE_MESSAGING_TOKEN"] = state.token
    return environment


def _agent(state: HarnessState, kind: str) -> str:
    """Which client this is, with its version (H 9)."""
    return f"claude-code_{state.options.version.replace('.', '-')}_{kind}"
