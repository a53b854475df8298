"""What hooks read on stdin, in the recorded shapes (H 2, ``claude-hooks.jsonl``)."""

from typing import Final

from tidings.entrypoints.simulated.script import AskOperator
from tidings.entrypoints.simulated.state import HarnessState
from tidings.ports.codec import Document, ReadOnlyDocument, Value
from tidings.ports.values import dataclass

_WITH_MODE: Final = frozenset(
    {
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "PermissionRequest",
        "Stop",
        "SubagentStop",
    }
)
_WITH_EFFORT: Final = (_WITH_MODE | {"StopFailure"}) - {"UserPromptSubmit"}
_WITHOUT_PROMPT_ID: Final = frozenset({"SessionStart"})


@dataclass(frozen=True, slots=True, kw_only=True)
class HookCall:
    """One event for the hooks: its name, what matchers look at, and the whole payload."""

    event: str
    subject: str
    payload: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One tool use; ``agent`` is the subagent's id, empty for the main agent."""

    tool: str
    tool_input: Document
    tool_use_id: str
    agent: str = ""


def call(
    state: HarnessState, event: str, fields: ReadOnlyDocument, *, subject: str = ""
) -> HookCall:
    """The payload of ``event``: what all have, what most have, and its own ``fields``."""
    payload: Document = {
        "session_id": state.session_id,
        "transcript_path": state.transcript_path,
        "cwd": state.options.cwd,
    }
    if state.prompt_id and event not in _WITHOUT_PROMPT_ID:
        payload["prompt_id"] = state.prompt_id
    if event in _WITH_MODE:
        payload["permission_mode"] = state.options.permission_mode.value
    if event in _WITH_EFFORT:
        payload["effort"] = {"level": "medium"}
    payload |= {"hook_event_name": event, **fields}
    if state.options.name:
        payload["session_title"] = state.options.name
    return HookCall(event=event, subject=subject, payload=payload)


def tool_call(
    state: HarnessState, event: str, tool: ToolCall, fields: ReadOnlyDocument
) -> HookCall:
    """A tool event. PermissionRequest carries no id of the tool use (H 2)."""
    own: Document = {"tool_name": tool.tool, "tool_input": tool.tool_input, **fields}
    if event == "PermissionRequest":
        own["permission_suggestions"] = []
    else:
        own["tool_use_id"] = tool.tool_use_id
    if tool.agent:
        own |= {"agent_id": tool.agent, "agent_type": "general-purpose"}
    return call(state, event, own, subject=tool.tool)


def stop_call(state: HarnessState, *, text: str, is_again: bool) -> HookCall:
    """The end of a turn; ``is_again`` after a Stop hook that blocked."""
    fields: Document = {
        "stop_hook_active": is_again,
        "last_assistant_message": text,
        "background_tasks": [],
        "session_crons": [],
    }
    return call(state, "Stop", fields)


def question_input(step: AskOperator) -> Document:
    """The input of AskUserQuestion with one question."""
    options: list[Value] = [{"label": label, "description": label} for label in step.options]
    question: Document = {
        "question": step.question,
        "header": "Question",
        "options": options,
        "multiSelect": False,
    }
    return {"questions": [question]}
