"""Turns: what arrives is admitted by hooks, answered by the scripted model, and ended (H 2, H 3)."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final, assert_never

from tidings.entrypoints.simulated.admission import admit_all
from tidings.entrypoints.simulated.arrivals import Prompt
from tidings.entrypoints.simulated.floor import Floor
from tidings.entrypoints.simulated.model import ModelMessage
from tidings.entrypoints.simulated.payloads import HookCall, call, stop_call
from tidings.entrypoints.simulated.questions import ask_operator, elicit, send_text
from tidings.entrypoints.simulated.script import (
    AskOperator,
    Delegate,
    Elicit,
    FailCall,
    Say,
    SendText,
    Step,
    Think,
    UseTool,
)
from tidings.entrypoints.simulated.state import new_id, now_ms
from tidings.entrypoints.simulated.subagents import Subagents
from tidings.entrypoints.simulated.tools import ToolOutcome, TurnAbandoned, use_tool
from tidings.ports.codec import Document

_STOPS_MAX: Final = 9
"""With a Stop hook that always blocks the client gave up after nine Stops (H 2)."""


class Turns:
    """Plays one turn after the other, for as long as its task lives."""

    def __init__(self, floor: Floor) -> None:
        self.planned: deque[tuple[Step, ...]] = deque()
        self.subagents = Subagents(floor)
        self._floor = floor

    async def run(self) -> None:
        while True:
            await self._play(await self._floor.arrivals.next_batch())

    async def _play(self, batch: Sequence[Prompt]) -> None:
        floor = self._floor
        floor.is_in_turn = True
        floor.state.prompt_id = new_id()
        floor.publish()
        began_ms = now_ms()
        read = await admit_all(floor, batch, while_busy=False)
        if read and await self._follow(self._script(batch), read):
            floor.transcript.turn_ended(now_ms() - began_ms)
        floor.is_in_turn = False
        floor.state.count("turns")
        floor.publish()

    def _script(self, batch: Sequence[Prompt]) -> tuple[Step, ...]:
        typed = batch[0].steps
        if typed is not None:
            return typed
        return self.planned.popleft() if self.planned else ()

    async def _follow(self, steps: Sequence[Step], read: Sequence[ModelMessage]) -> bool:
        """Plays the script; False where the turn was abandoned and so gets no Stop."""
        number = self._floor.model.request(read)
        said = ""
        for step in steps:
            match step:
                case Say(text=text):
                    said = text
                case Think(seconds=seconds):
                    if not await self._floor.pace.wait(seconds):
                        return False
                case FailCall(error=error):
                    await self._fail(error)
                    return False
                case UseTool() | AskOperator() | Elicit() | SendText() | Delegate():
                    if not await self._use(step):
                        return False
                case _:
                    assert_never(step)
        await self._stop(said or f"ack {number}")
        return True

    async def _use(self, step: UseTool | AskOperator | Elicit | SendText | Delegate) -> bool:
        """One tool, and the next request with whatever arrived meanwhile (H 3, H 4)."""
        outcome = await self._outcome(step)
        if isinstance(outcome, TurnAbandoned):
            return False
        result = ModelMessage(role="tool", kind="tool", content=outcome.text)
        floor = self._floor
        waiting = floor.arrivals.take_machine_made()
        floor.model.request([result, *await admit_all(floor, waiting, while_busy=True)])
        return True

    async def _outcome(
        self, step: UseTool | AskOperator | Elicit | SendText | Delegate
    ) -> ToolOutcome:
        match step:
            case UseTool():
                return await use_tool(self._floor, step)
            case AskOperator():
                return await ask_operator(self._floor, step)
            case Elicit():
                return await elicit(self._floor, step)
            case SendText():
                return await send_text(self._floor, step)
            case Delegate():
                return await self.subagents.delegate(step)
            case _:
                assert_never(step)

    async def _stop(self, said: str) -> None:
        """The last words and Stop race each other; a hook may send the model on (H 2)."""
        floor = self._floor
        for stop in range(_STOPS_MAX):
            floor.transcript.assistant_text(said)
            _shown, verdict = await asyncio.gather(
                floor.hooks.fire(self._display(said)),
                floor.hooks.fire(stop_call(floor.state, text=said, is_again=stop > 0)),
            )
            if not verdict.blocks:
                return
            reason = ModelMessage(role="system", kind="hook", content=verdict.reason)
            said = f"ack {floor.model.request([reason])}"

    def _display(self, said: str) -> HookCall:
        fields: Document = {
            "turn_id": new_id(),
            "message_id": new_id(),
            "index": 0,
            "final": True,
            "delta": said,
        }
        return call(self._floor.state, "MessageDisplay", fields)

    async def _fail(self, error: str) -> None:
        said = f"API Error: {error}"
        self._floor.transcript.assistant_text(said)
        fields: Document = {"error": error, "last_assistant_message": said}
        await self._floor.hooks.fire(call(self._floor.state, "StopFailure", fields))
