"""One tool call from its PreToolUse to its result, as measured (H 2, H 9, H 11)."""

import asyncio
import time
from typing import TypeAlias

from tidings.entrypoints.simulated.dialogs import PERMISSION, Allowed, Answer, Denied
from tidings.entrypoints.simulated.floor import Floor
from tidings.entrypoints.simulated.options import PermissionMode
from tidings.entrypoints.simulated.payloads import ToolCall, call, tool_call
from tidings.entrypoints.simulated.script import UseTool
from tidings.entrypoints.simulated.shell import run_shell
from tidings.entrypoints.simulated.verdicts import Verdict
from tidings.ports.codec import Document, ReadOnlyDocument, Value
from tidings.ports.values import dataclass

HOOK_SAID_NO = "a hook said no"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEnded:
    """The tool gave a result, good or bad, and the turn goes on."""

    text: str
    is_error: bool = False
    response: Value = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAbandoned:
    """The operator said no: the turn is over, without a Stop and without another hook (H 2)."""


ToolOutcome: TypeAlias = ToolEnded | TurnAbandoned


def new_tool_call(floor: Floor, tool: str, tool_input: Document, agent: str = "") -> ToolCall:
    """Mints the id of the next tool use and writes the model's side of it to the transcript."""
    number = floor.state.count("tool_uses")
    made = ToolCall(
        tool=tool,
        tool_input=tool_input,
        tool_use_id=f"toolu_sim_{floor.state.pid}_{number}",
        agent=agent,
    )
    floor.transcript.tool_use(made)
    return made


async def use_tool(floor: Floor, step: UseTool, *, agent: str = "") -> ToolOutcome:
    """Asks hooks and operator as the step wants, runs the tool, and tells the hooks its end."""
    tool = new_tool_call(floor, step.tool, step.tool_input, agent)
    verdict = await floor.hooks.fire(tool_call(floor.state, "PreToolUse", tool, {}))
    if verdict.blocks:
        return await closed(floor, tool, _refused(step.tool, verdict.reason))
    answer = await _permission(floor, step, tool)
    if isinstance(answer, Denied):
        if answer.by_hook:
            return await closed(floor, tool, ToolEnded(text=HOOK_SAID_NO, is_error=True))
        return abandoned(floor, tool)
    began = time.monotonic()
    outcome = await _run(floor, step, answer)
    if isinstance(outcome, TurnAbandoned):
        return abandoned(floor, tool)
    return await finished(floor, tool, outcome, began, {})


async def finished(
    floor: Floor, tool: ToolCall, ended: ToolEnded, began: float, extra: ReadOnlyDocument
) -> ToolEnded:
    """PostToolUse or PostToolUseFailure, then the batch; ``began`` is a monotonic instant."""
    end: Document = {"duration_ms": int((time.monotonic() - began) * 1000), **extra}
    if ended.is_error:
        event = "PostToolUseFailure"
        end |= {"error": ended.text, "is_interrupt": False}
    else:
        event = "PostToolUse"
        end |= {"tool_response": ended.response}
    await floor.hooks.fire(tool_call(floor.state, event, tool, end))
    return await closed(floor, tool, ended)


async def closed(floor: Floor, tool: ToolCall, ended: ToolEnded) -> ToolEnded:
    """The transcript's result line and PostToolBatch, which follows whatever the tool's end was."""
    floor.transcript.tool_result(tool, ended.text, is_error=ended.is_error)
    done: Document = {
        "tool_name": tool.tool,
        "tool_input": tool.tool_input,
        "tool_use_id": tool.tool_use_id,
        "tool_response": ended.text,
    }
    if not tool.agent:
        await floor.hooks.fire(call(floor.state, "PostToolBatch", {"tool_calls": [done]}))
    return ended


def abandoned(floor: Floor, tool: ToolCall) -> TurnAbandoned:
    """The transcript's two lines are the only trace of a no (H 9)."""
    floor.transcript.rejected(tool)
    return TurnAbandoned()


async def ask_permission(floor: Floor, tool: ToolCall, waiting_for: str) -> Answer:
    """Dialog and PermissionRequest hooks at once; whoever answers first is heard (H 2)."""
    dialog = floor.dialogs.open(tool.tool, agent=tool.agent, waiting_for=waiting_for)

    def hear(hook: asyncio.Task[Verdict]) -> None:
        behavior = "" if hook.cancelled() else hook.result().behavior
        if behavior:
            dialog.answer(Allowed() if behavior == "allow" else Denied(by_hook=True))

    for hook in floor.hooks.start(tool_call(floor.state, "PermissionRequest", tool, {})):
        hook.add_done_callback(hear)
    return await floor.answered(
        dialog, notification="permission_prompt", message="Claude needs your permission"
    )


async def _permission(floor: Floor, step: UseTool, tool: ToolCall) -> Answer:
    if not step.asks or floor.state.options.permission_mode is PermissionMode.BYPASS:
        return Allowed()
    return await ask_permission(floor, tool, PERMISSION)


async def _run(floor: Floor, step: UseTool, answer: Allowed) -> ToolOutcome:
    if step.runs:
        return await _really_run(floor, str(step.tool_input.get("command", "")))
    seconds = step.seconds if answer.seconds is None else answer.seconds
    if seconds != 0 and not await floor.pace.wait(seconds):
        return TurnAbandoned()
    if step.error:
        return ToolEnded(text=step.error, is_error=True)
    response: Document = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}
    return ToolEnded(text="", response=response)


def _refused(tool: str, reason: str) -> ToolEnded:
    return ToolEnded(text=f"PreToolUse:{tool} hook error: {reason}", is_error=True)


async def _really_run(floor: Floor, command: str) -> ToolEnded:
    ran = await run_shell(floor.state, floor.base, command)
    response: Document = {"stdout": ran.output, "stderr": ran.errors, "interrupted": False}
    if ran.exit_code:
        text = f"Exit code {ran.exit_code}\n{ran.output}{ran.errors}"
        return ToolEnded(text=text, is_error=True, response=response)
    return ToolEnded(text=ran.output, response=response)
