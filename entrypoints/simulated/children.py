"""Child processes of a harness: shells with a session of their own, ended by group (H 2)."""

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from typing import Final

TERM_SECONDS: Final = 0.5
"""From SIGTERM to SIGKILL (H 2)."""

LINE_LIMIT_BYTES: Final = 1 << 20


async def start_shell(command: str, *, cwd: str, environment: Mapping[str, str]) -> Process:
    """``/bin/sh -c COMMAND`` as a session leader without a terminal, on three pipes."""
    return await asyncio.create_subprocess_exec(
        "/bin/sh",
        "-c",
        command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        cwd=cwd,
        env=dict(environment),
        start_new_session=True,
        limit=LINE_LIMIT_BYTES,
    )


async def end_group(process: Process) -> None:
    """SIGTERM to the whole group of a child that still runs, SIGKILL half a second later."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), TERM_SECONDS)
