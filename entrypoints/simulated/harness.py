"""One simulated harness from its first breath to its last (H 2, H 3)."""

import asyncio
import contextlib
import os
import shlex
import signal
import sys
from collections.abc import Coroutine, Mapping
from typing import Any

from tidings.entrypoints.simulated.arrivals import Kind, Prompt
from tidings.entrypoints.simulated.files import write_whole
from tidings.entrypoints.simulated.floor import Floor
from tidings.entrypoints.simulated.inbox import Inbox
from tidings.entrypoints.simulated.monitor import Monitor
from tidings.entrypoints.simulated.options import Options, PermissionMode, SessionKind
from tidings.entrypoints.simulated.payloads import call
from tidings.entrypoints.simulated.state import HarnessState, new_id, new_state
from tidings.entrypoints.simulated.turns import Turns
from tidings.ports.codec import Document
from tidings.ports.values import replace

_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class Harness:
    """Owns the parts and their tasks. ``start``, then ``ended`` to wait for, then ``shut_down``."""

    def __init__(self, options: Options, base: Mapping[str, str]) -> None:
        path = os.path.join(options.home, "bin") + os.pathsep + base.get("PATH", os.defpath)
        self.state: HarnessState = new_state(options, os.getpid())
        self.floor = Floor(self.state, {**base, "HOME": options.home, "PATH": path})
        self.turns = Turns(self.floor)
        self.monitor = Monitor(self.floor)
        self.end_reason: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._inbox = Inbox(self.state, self._deliver)
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Socket and record first, then SessionStart; then the model may be woken."""
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self.end, "other")
        _write_command(self.state)
        await self._inbox.open()
        self.floor.record.open()
        await self._session_start("resume" if self.state.options.resume else "startup")
        self.spawn(self.turns.run())
        if self.state.options.monitor and self.state.options.kind is not SessionKind.PRINT:
            self.spawn(self.monitor.run())

    def end(self, reason: str) -> None:
        """Asks for an orderly end; the first reason counts."""
        if not self.end_reason.done():
            self.end_reason.set_result(reason)

    def change_mode(self, mode: PermissionMode) -> None:
        """The operator chooses another permission mode; no hook tells of it before the next event."""
        self.state.options = replace(self.state.options, permission_mode=mode)

    async def change_conversation(self, why: str) -> None:
        """``/clear`` or ``/resume``: another conversation in the same process, at the same socket."""
        floor, state = self.floor, self.state
        await floor.hooks.fire(call(state, "SessionEnd", {"reason": why}, subject=why))
        state.session_id = new_id()
        state.prompt_id = ""
        floor.publish()
        await self._session_start(why)

    async def shut_down(self, reason: str) -> None:
        """The socket goes first, so SessionEnd hooks learn of none (H 2); no child stays."""
        await self._inbox.close()
        for task in self._tasks:
            task.cancel()
        self.turns.subagents.end()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.floor.hooks.fire(
            call(self.state, "SessionEnd", {"reason": reason}, subject=reason)
        )
        await self.monitor.end()
        await self.floor.hooks.settle()
        self.floor.record.withdraw()

    def _deliver(self, text: str) -> None:
        self.floor.arrivals.put(Prompt(kind=Kind.PEER, text=text))

    async def _session_start(self, source: str) -> None:
        resumed: Document = {
            "seconds_since_last_response": 1,
            "context_tokens": 110,
            "prompt_cache_likely_expired": False,
            "estimated_cache_write_usd": 0.0006,
        }
        extra: Document = resumed if source == "resume" else {}
        await self.floor.hooks.fire(
            call(self.state, "SessionStart", {"source": source, **extra}, subject=source)
        )

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs ``work`` until the end. A part that breaks takes the harness down with it: nobody
        should wait for a dead one."""
        task = asyncio.create_task(work)
        task.add_done_callback(self._noticed)
        self._tasks.add(task)

    def _noticed(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and not self.end_reason.done():
            self.end_reason.set_exception(error)


def _write_command(state: HarnessState) -> None:
    """The ``claude`` of this home: it can say its version and list its sessions (H 11)."""
    lines = [
        "#!/bin/sh",
        f"[ \"$1\" = --version ] && echo {shlex.quote(state.options.version)} '(simulated)' && exit 0",
        "exec "
        + shlex.join([sys.executable, "-I", "-m", "tidings.entrypoints.simulated.agents"])
        + f' --home {shlex.quote(state.options.home)} "$@"',
    ]
    with contextlib.suppress(FileExistsError):
        os.makedirs(os.path.dirname(state.places.command), mode=0o700)
    write_whole(state.places.command, "\n".join(lines) + "\n", mode=0o700)
