"""Which hook events say what, per client, as data (D23, H 2, H 5, R 6.2).

Light: the hook imports it, so there is no dataclass, no enum and no ``typing`` here.
Whatever a table does not name is quiet: it changes nothing and leaves no trace.
"""

CLAUDE = "claude"
CODEX = "codex"

QUIET = ""
OPENS_TOOL = "opens-tool"
"""A permission dialog for one tool call."""
OPENS_QUESTION = "opens-question"
"""A question tool is about to ask; its own permission request is the same dialog."""
OPENS_SERVER = "opens-server"
"""An MCP server's form (elicitation)."""
OPENS_UNNAMED = "opens-unnamed"
"""A notice that some dialog is open, without saying which."""
CLOSES_TOOL = "closes-tool"
CLOSES_SERVER = "closes-server"
CLOSES_AGENT = "closes-agent"
"""A subagent ended, and with it whatever it asked."""
CLOSES_MAIN = "closes-main"
"""The main agent's turn ended or began, and with it whatever the main agent asked."""
PROMPT = "prompt"
"""Closes like ``CLOSES_MAIN``, and its text is what the model reads."""
BEGINS = "begins"
"""A conversation begins or is taken up again in this process."""
ENDS = "ends"
"""A conversation ends; every dialog with it."""

OPENINGS = frozenset((OPENS_TOOL, OPENS_QUESTION, OPENS_SERVER, OPENS_UNNAMED))

QUESTION_TOOLS = frozenset(("AskUserQuestion",))
"""Tools whose own run is a dialog; their input grows the answer, so it is no part of the key."""

DIALOG_NOTICES = frozenset(("permission_prompt", "elicitation_dialog"))

CHANGES_OF_CONVERSATION = frozenset(("clear", "resume"))
"""Reasons of a SessionEnd after which the process lives on with another conversation (H 2)."""

EFFECTS = {
    CLAUDE: {
        "SessionStart": BEGINS,
        "SessionEnd": ENDS,
        "UserPromptSubmit": PROMPT,
        "PreToolUse": OPENS_QUESTION,
        "PermissionRequest": OPENS_TOOL,
        "Elicitation": OPENS_SERVER,
        "Notification": OPENS_UNNAMED,
        "PostToolUse": CLOSES_TOOL,
        "PostToolUseFailure": CLOSES_TOOL,
        "PermissionDenied": CLOSES_TOOL,
        "ElicitationResult": CLOSES_SERVER,
        "SubagentStop": CLOSES_AGENT,
        "Stop": CLOSES_MAIN,
        "StopFailure": CLOSES_MAIN,
    },
    CODEX: {
        "SessionStart": BEGINS,
        "SessionEnd": ENDS,
        "UserPromptSubmit": PROMPT,
        "PermissionRequest": OPENS_TOOL,
        "PostToolUse": CLOSES_TOOL,
        "SubagentStop": CLOSES_AGENT,
        "Stop": CLOSES_MAIN,
        "Interrupt": CLOSES_MAIN,
    },
}


def effect_of(client: str, event: str, *, tool: str = "", notice: str = "") -> str:
    """What ``event`` of ``client`` does; ``QUIET`` for everything the tables do not name."""
    effect = EFFECTS.get(client, {}).get(event, QUIET)
    if effect == OPENS_QUESTION and tool not in QUESTION_TOOLS:
        return QUIET
    if effect == OPENS_UNNAMED and notice not in DIALOG_NOTICES:
        return QUIET
    return effect
