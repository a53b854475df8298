"""A subagent in the background: the main turn ends while its dialog is still open (H 11)."""

import asyncio
import secrets

from tidings.entrypoints.simulated.arrivals import Kind, Prompt
from tidings.entrypoints.simulated.floor import Floor
from tidings.entrypoints.simulated.payloads import HookCall, call, tool_call
from tidings.entrypoints.simulated.script import Delegate, UseTool
from tidings.entrypoints.simulated.tools import ToolEnded, finished, new_tool_call, use_tool
from tidings.entrypoints.simulated.wording import agent_ended
from tidings.ports.codec import Document

_DESCRIPTION = "sub"


class Subagents:
    """Starts subagents and keeps their tasks; the last act of each wakes the main agent."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._tasks: set[asyncio.Task[None]] = set()

    async def delegate(self, step: Delegate) -> ToolEnded:
        """PreToolUse Agent, SubagentStart, PostToolUse: the launch itself is over at once (H 2)."""
        floor = self._floor
        agent_id = f"a{secrets.token_hex(8)}"
        brief: Document = {"description": _DESCRIPTION, "prompt": "please do a thing"}
        tool = new_tool_call(floor, "Agent", {**brief, "subagent_type": "general-purpose"})
        await floor.hooks.fire(tool_call(floor.state, "PreToolUse", tool, {}))
        began = asyncio.get_running_loop().time()
        await floor.hooks.fire(self._event("SubagentStart", agent_id, {}))
        task = asyncio.create_task(self._work(step, agent_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        response: Document = {"isAsync": True, "status": "async_launched", "agentId": agent_id}
        ended = ToolEnded(text="launched", response=response)
        return await finished(floor, tool, ended, began, {})

    def __len__(self) -> int:
        return len(self._tasks)

    def end(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def _work(self, step: Delegate, agent_id: str) -> None:
        use = UseTool(tool=step.tool, tool_input=step.tool_input, asks=step.asks)
        await use_tool(self._floor, use, agent=agent_id)
        await self._floor.hooks.fire(
            self._event(
                "SubagentStop",
                agent_id,
                {
                    "stop_hook_active": False,
                    "agent_transcript_path": self._transcript(agent_id),
                    "last_assistant_message": "done",
                    "background_tasks": [],
                    "session_crons": [],
                },
            )
        )
        text = agent_ended(agent_id, _DESCRIPTION)
        self._floor.arrivals.put(Prompt(kind=Kind.SYSTEM, text=text))

    def _event(self, event: str, agent_id: str, more: Document) -> HookCall:
        own: Document = {"agent_id": agent_id, "agent_type": "general-purpose"}
        return call(self._floor.state, event, own | more)

    def _transcript(self, agent_id: str) -> str:
        conversation = self._floor.state.transcript_path.removesuffix(".jsonl")
        return f"{conversation}/subagents/agent-{agent_id}.jsonl"
