"""A plugin monitor: a live child whose lines, and whose end, reach the model (H 4, H 9, H 11)."""

import asyncio
import contextlib
import secrets
from asyncio.subprocess import Process
from typing import Final

from tidings.entrypoints.simulated.arrivals import Kind, Prompt
from tidings.entrypoints.simulated.children import end_group, start_shell
from tidings.entrypoints.simulated.environment import child_environment
from tidings.entrypoints.simulated.floor import Floor
from tidings.entrypoints.simulated.wording import monitor_ended, monitor_lines

START_SECONDS: Final = 0.3
"""How long after the SessionStart hook a monitor starts (H 11)."""

GATHER_SECONDS: Final = 0.2
"""Lines this close together are one notification (H 4: 30 lines at once, one turn)."""


class Monitor:
    """At most one, started once and never again when it dies."""

    def __init__(self, floor: Floor) -> None:
        self.process: Process | None = None
        self._floor = floor
        self._task_id = f"b{secrets.token_hex(4)}"
        self._description = floor.state.options.monitor_description
        self._spoke = False

    async def run(self) -> None:
        await asyncio.sleep(START_SECONDS)
        process = await start_shell(
            self._floor.state.options.monitor,
            cwd=self._floor.state.options.cwd,
            environment=child_environment(self._floor.base, self._floor.state),
        )
        self.process = process
        self._live(True)
        drain = asyncio.create_task(_drain(process.stderr))
        while lines := await _gather(process.stdout):
            self._spoke = True
            self._tell(monitor_lines(self._task_id, self._description, lines))
        exit_code = await process.wait()
        await drain
        self._live(False)
        self._tell(
            monitor_ended(self._task_id, self._description, exit_code=exit_code, spoke=self._spoke)
        )

    async def end(self) -> None:
        """SIGTERM, as the client gives it at its own end."""
        if self.process is not None:
            await end_group(self.process)

    def _live(self, lives: bool) -> None:
        self._floor.state.has_monitor = lives
        self._floor.publish()

    def _tell(self, text: str) -> None:
        self._floor.arrivals.put(Prompt(kind=Kind.SYSTEM, text=text))


async def _gather(stream: asyncio.StreamReader | None) -> list[str]:
    """The next line and those that follow at once; empty at the end of the stream."""
    lines: list[str] = []
    if stream is None or not (first := await _line(stream)):
        return lines
    lines.append(first)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(GATHER_SECONDS):
            while more := await _line(stream):
                lines.append(more)
    return lines


async def _line(stream: asyncio.StreamReader) -> str:
    """One line with its break taken off; a line of nothing else reads as a blank."""
    data = await stream.readline()
    return (data.decode("utf-8", "replace").rstrip("\r\n") or " ") if data else ""


async def _drain(stream: asyncio.StreamReader | None) -> None:
    while stream is not None and await stream.read(1 << 16):
        pass
