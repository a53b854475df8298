"""Tools that talk: to the operator (questions, forms) and to other sessions (H 2, H 10)."""

import time

from tidings.entrypoints.simulated.dialogs import INPUT, Allowed, Denied
from tidings.entrypoints.simulated.floor import Floor
from tidings.entrypoints.simulated.native import send_native
from tidings.entrypoints.simulated.payloads import call, question_input, tool_call
from tidings.entrypoints.simulated.script import AskOperator, Elicit, SendText
from tidings.entrypoints.simulated.tools import (
    HOOK_SAID_NO,
    ToolEnded,
    ToolOutcome,
    abandoned,
    ask_permission,
    closed,
    finished,
    new_tool_call,
)
from tidings.ports.codec import Document


async def ask_operator(floor: Floor, step: AskOperator) -> ToolOutcome:
    """AskUserQuestion: its PreToolUse and PermissionRequest are one dialog (H 2)."""
    tool = new_tool_call(floor, "AskUserQuestion", question_input(step))
    await floor.hooks.fire(tool_call(floor.state, "PreToolUse", tool, {}))
    began = time.monotonic()
    answer = await ask_permission(floor, tool, INPUT)
    if isinstance(answer, Denied):
        if answer.by_hook:
            return await closed(floor, tool, ToolEnded(text=HOOK_SAID_NO, is_error=True))
        return abandoned(floor, tool)
    answers: Document = {step.question: answer.reply or step.options[0]}
    response: Document = {**tool.tool_input, "answers": answers, "annotations": {}}
    ended = ToolEnded(text=f"The operator answered: {answers}", response=response)
    return await finished(floor, tool, ended, began, {})


async def elicit(floor: Floor, step: Elicit) -> ToolOutcome:
    """A form of an MCP server: a no is an answer here, and the turn goes on (H 2)."""
    tool = new_tool_call(floor, f"mcp__{step.server}__ask", {})
    server: Document = {"mcp_server": {"name": step.server, "source": "dynamic"}}
    await floor.hooks.fire(tool_call(floor.state, "PreToolUse", tool, server))
    began = time.monotonic()
    action, reply = await _form(floor, step)
    content: Document = {"name": reply}
    result: Document = {"action": action, "content": content} if reply else {"action": action}
    await _tell_result(floor, step, action)
    text = str(result)
    ended = ToolEnded(text=text, response=[{"type": "text", "text": text}])
    return await finished(floor, tool, ended, began, server)


async def send_text(floor: Floor, step: SendText) -> ToolOutcome:
    """SendMessage: no dialog, and the kernel names this very process as the sender (H 10)."""
    to = step.to or floor.state.last_frame_from
    tool = new_tool_call(
        floor, "SendMessage", {"to": to, "summary": "answer", "message": step.text}
    )
    verdict = await floor.hooks.fire(tool_call(floor.state, "PreToolUse", tool, {}))
    if verdict.blocks:
        return await closed(floor, tool, ToolEnded(text=verdict.reason, is_error=True))
    began = time.monotonic()
    why_not = await send_native(floor.state, to, step.text)
    if why_not:
        return await finished(floor, tool, ToolEnded(text=why_not, is_error=True), began, {})
    response: Document = {"success": True, "message": f"sent to {to}"}
    return await finished(floor, tool, ToolEnded(text="sent", response=response), began, {})


async def _form(floor: Floor, step: Elicit) -> tuple[str, str]:
    dialog = floor.dialogs.open("Elicitation", agent="", waiting_for=INPUT)
    schema: Document = {
        "type": "object",
        "properties": {"name": {"type": "string", "title": "Name"}},
        "required": ["name"],
    }
    form: Document = {
        "mcp_server_name": step.server,
        "message": step.message,
        "mode": "form",
        "requested_schema": schema,
    }
    floor.hooks.start(call(floor.state, "Elicitation", form))
    answer = await floor.answered(
        dialog, notification="elicitation_dialog", message="Claude Code needs your input"
    )
    return ("accept", answer.reply or "text") if isinstance(answer, Allowed) else ("decline", "")


async def _tell_result(floor: Floor, step: Elicit, action: str) -> None:
    result: Document = {"mcp_server_name": step.server, "mode": "form", "action": action}
    await floor.hooks.fire(call(floor.state, "ElicitationResult", result))
    notice: Document = {
        "message": f'Elicitation response for server "{step.server}": {action}',
        "notification_type": "elicitation_response",
    }
    await floor.hooks.fire(call(floor.state, "Notification", notice))
