"""The dialogs that a client can show, and the hooks that tell of them (D23)."""

from enum import StrEnum

from tidings.ports.codec import Document

BASH: Document = {"tool_name": "Bash", "tool_input": {"command": "make deploy"}}
QUESTION: Document = {"tool_name": "AskUserQuestion", "tool_input": {"questions": []}}
FORM: Document = {"mcp_server_name": "calendar"}


class Dialog(StrEnum):
    """What a client can show its operator."""

    PERMISSION = "permission prompt"
    QUESTION = "question"
    FORM = "form"
    SUBAGENT = "permission prompt of a subagent"


EVENTS: dict[Dialog, tuple[list[str], str, Document]] = {
    Dialog.PERMISSION: (["PermissionRequest"], "PostToolUse", BASH),
    Dialog.QUESTION: (["PreToolUse", "PermissionRequest"], "PostToolUse", QUESTION),
    Dialog.FORM: (["Elicitation"], "ElicitationResult", FORM),
    Dialog.SUBAGENT: (["PermissionRequest"], "PostToolUse", {**BASH, "agent_id": "helper"}),
}
"""Per dialog: the hooks that tell of its opening, the one of its yes, and what they carry (D23)."""
