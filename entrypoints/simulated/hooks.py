"""Running hooks as the client does: real children, in parallel, bounded, and failing open (H 2)."""

import asyncio
import contextlib
import json
import time
from asyncio.subprocess import Process
from collections.abc import Mapping

from tidings.entrypoints.simulated.children import end_group, start_shell
from tidings.entrypoints.simulated.environment import hook_environment
from tidings.entrypoints.simulated.files import append_line
from tidings.entrypoints.simulated.hook_settings import HookCommand, commands_for
from tidings.entrypoints.simulated.payloads import HookCall
from tidings.entrypoints.simulated.state import HarnessState
from tidings.entrypoints.simulated.verdicts import Verdict, merge, read_verdict


class HookRunner:
    """Fires events. ``delays`` makes the hooks of an event start on time and speak late."""

    def __init__(self, state: HarnessState, base: Mapping[str, str]) -> None:
        self.delays: dict[str, float] = {}
        self._state = state
        self._base = base
        self._running: set[asyncio.Task[Verdict]] = set()

    async def fire(self, call: HookCall) -> Verdict:
        """Runs every hook of the event and waits for the last of them."""
        return merge(await asyncio.gather(*self.start(call)))

    def start(self, call: HookCall) -> list[asyncio.Task[Verdict]]:
        """Starts every hook of the event, for whoever does not wait (H 11: they race)."""
        append_line(
            self._state.places.hook_events,
            {"at_ns": time.time_ns(), "event": call.event, "payload": call.payload},
        )
        tasks = [
            asyncio.create_task(self._run(command, call))
            for command in commands_for(call, self._settings())
        ]
        for task in tasks:
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        return tasks

    async def settle(self) -> None:
        """Waits for hooks that nobody waited for; each is bounded by its own timeout."""
        while self._running:
            await asyncio.wait(set(self._running))

    async def _run(self, hook: HookCommand, call: HookCall) -> Verdict:
        process = await start_shell(
            self._command(hook, call.event),
            cwd=self._state.options.cwd,
            environment=hook_environment(self._base, self._state),
        )
        data = json.dumps(call.payload, ensure_ascii=False).encode("utf-8", "replace")
        return await _converse(process, data, timeout_seconds=hook.timeout_seconds)

    def _command(self, hook: HookCommand, event: str) -> str:
        delay_seconds = self.delays.get(event)
        return f"sleep {delay_seconds}; {hook.command}" if delay_seconds else hook.command

    def _settings(self) -> str:
        try:
            with open(self._state.places.settings, encoding="utf-8") as stream:
                return stream.read()
        except (OSError, UnicodeDecodeError):
            return ""


async def _converse(process: Process, data: bytes, *, timeout_seconds: float) -> Verdict:
    talk = asyncio.ensure_future(process.communicate(data))
    done, _pending = await asyncio.wait({talk}, timeout=timeout_seconds)
    if not done:
        await end_group(process)
        talk.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await talk
        return Verdict()
    output, errors = talk.result()
    return read_verdict(process.returncode or 0, output, errors)
