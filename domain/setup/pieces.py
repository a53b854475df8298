"""What Tidings wants in the settings of Claude Code: hooks, its plugin, two permission rules."""

import re

from tidings.domain.documents import Fields
from tidings.ports.codec import Document, Value
from tidings.ports.values import dataclass

EVENTS = (
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionRequest",
    "PermissionDenied",
    "Notification",
    "Elicitation",
    "ElicitationResult",
    "SubagentStop",
    "Stop",
    "StopFailure",
)
"""The events that D23 reads, and those that begin and end a session."""

MATCHERS = {"PreToolUse": "AskUserQuestion"}
"""Where only some tools of an event matter; for the others the client starts nothing."""

CLOSES = ("PostToolUse", "PostToolUseFailure", "PermissionDenied")
"""Events that say nothing while no dialog is open; there the quiet sign decides in the shell."""

HOOK_SECONDS = 5
"""How long the client lets our hook run; it needs a tenth of one."""

RULES = ("Bash(tidings send:*)", "Bash(tidings reply:*)")
"""What an agent may run without being asked. Never ``arm``: consent is not ours to widen (D9)."""

NAME = "tidings"
PLUGIN_ID = f"{NAME}@{NAME}"
"""The plugin, and the marketplace that it comes from."""

MARKETPLACES, PLUGINS = "extraKnownMarketplaces", "enabledPlugins"
"""The client's own keys for both."""

QUIET_SIGN = (
    '"${TIDINGS_HOME:-${XDG_STATE_HOME:-$HOME/.local/state}/tidings}/events/$CLAUDE_PID.quiet"'
)
"""Where the hook looks for the quiet sign, as its shell says it; where the two disagree about the
state folder there is none, and the hook runs."""

_OURS = re.compile(
    r"(?:^|\s)-m tidings\.entrypoints\.hook claude(?:\s+2>/dev/null\s+\|\|\s+:)?\s*$"
)
_PLAIN = re.compile(r"[A-Za-z0-9@%+=:,./_-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One thing in the settings: an element of the array at ``path``, or with a ``key`` a member of
    the object there."""

    path: tuple[str, ...]
    key: str = ""
    value: Value

    def document(self) -> Document:
        """As it is remembered."""
        return {"path": [*self.path], "key": self.key, "value": self.value}


def parse_piece(document: Document) -> Piece:
    """A remembered piece. Raises ``FieldWrong``."""
    fields = Fields(document=document)
    path = fields.texts("path") or ()
    return Piece(path=path, key=fields.text("key", default=""), value=document.get("value"))


def wanted_pieces(*, python: str, marketplace: str) -> tuple[Piece, ...]:
    """All of it, for the interpreter ``python`` and the plugin's folder, both absolute paths."""
    source: Document = {"source": {"source": "directory", "path": marketplace}}
    return (
        *(Piece(path=("hooks", event), value=hook_group(python, event)) for event in EVENTS),
        *(Piece(path=("permissions", "allow"), value=rule) for rule in RULES),
        Piece(path=(MARKETPLACES,), key=NAME, value=source),
        Piece(path=(PLUGINS,), key=PLUGIN_ID, value=True),
    )


def hook_group(python: str, event: str) -> Document:
    """What stands in the settings for one event."""
    matcher: Document = {"matcher": MATCHERS[event]} if event in MATCHERS else {}
    return {**matcher, "hooks": [_hook(command_at(python, event))]}


def command_at(python: str, event: str) -> str:
    """The hook's command at one event."""
    return quiet_hook_command(python) if event in CLOSES else hook_command(python)


def hook_command(python: str) -> str:
    """The command of D10: no interpreter, no hook; and never a script's path, whose absence would
    end with 2 and block the user.

    The shell stays, so that it ends with 0 in silence whatever becomes of the interpreter: the client
    shows its user each hook that ends otherwise (measured with 2.1.332, decision 0016).
    """
    return f"[ -x {shell_word(python)} ] || exit 0; {hook_program(python)} 2>/dev/null || :"


def hook_program(python: str) -> str:
    """What that command runs: alone it says what is wrong with it."""
    return f"{shell_word(python)} -I -m tidings.entrypoints.hook claude"


def quiet_hook_command(python: str) -> str:
    """The same, where the quiet sign of the session ends it before an interpreter starts."""
    return f"[ -e {QUIET_SIGN} ] && exit 0; {hook_command(python)}"


def is_our_command(command: Value) -> bool:
    """Whether a hook runs our program, by whatever interpreter."""
    return isinstance(command, str) and _OURS.search(command) is not None


def commands_in(group: Value) -> list[Value]:
    """The commands of one group of hooks; empty where it is none."""
    entries = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(entries, list):
        return []
    return [entry.get("command") if isinstance(entry, dict) else None for entry in entries]


def shell_word(text: str) -> str:
    """``text`` as one word of a shell."""
    return text if _PLAIN.fullmatch(text) else "'" + text.replace("'", "'\"'\"'") + "'"


def _hook(command: str) -> Document:
    return {"type": "command", "command": command, "timeout": HOOK_SECONDS}
