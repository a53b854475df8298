"""What a client pays at each of its events (D10, design page 2 "Start-up cost")."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from benchmark import Benchmark, CannotMeasure, Reading, Run, Unit, at_most
from homes import Home, temporary_home
from programs import Program, python, ratio_to_bare
from tidings.domain.setup.pieces import command_at

BARE = python("-I", "-c", "pass")
BARE_SHELL = Program(words=("/bin/sh", "-c", ":"))

SHARED = {"session_id": "bench", "cwd": "/", "transcript_path": "/t.jsonl"}
QUIET: Mapping[str, object] = {
    **SHARED,
    "hook_event_name": "PreCompact",
    "trigger": "auto",
}
"""An event that means nothing to us: nothing to say, nothing to change."""
RECORDED: Mapping[str, object] = {
    **SHARED,
    "hook_event_name": "PostToolUse",
    "tool_name": "Bash",
    "tool_use_id": "toolu_bench",
    "tool_input": {"command": "make test"},
    "tool_response": {"stdout": "ok\n" * 400, "stderr": "", "interrupted": False},
}
"""The event that a working session fires most, with an output of a kilobyte."""


def quiet_event(run: Run) -> Reading:
    """The hook at an event that leaves nothing behind."""
    with temporary_home() as home:
        reading = ratio_to_bare(run, "hook", _hook(home, QUIET), BARE)
        if _spools(home):
            raise CannotMeasure("the quiet event was recorded; choose another one")
        return reading


def recorded_event(run: Run) -> Reading:
    """The hook at an event that goes to the spool."""
    with temporary_home() as home:
        reading = ratio_to_bare(run, "hook", _hook(home, RECORDED), BARE)
        if not _spools(home):
            raise CannotMeasure("the event left nothing in the spool")
        return reading


def ended_by_the_shell(run: Run) -> Reading:
    """The end of a tool call while no dialog is open: the sign of that stands."""
    with temporary_home() as home:
        sign = home.state / "events" / f"{os.getpid()}.quiet"
        sign.parent.mkdir(parents=True)
        sign.touch()
        words = ("/bin/sh", "-c", command_at(sys.executable, "PostToolUse"))
        program = replace(_hook(home, RECORDED), words=words)
        reading = ratio_to_bare(run, "hook", program, BARE_SHELL)
        if _spools(home):
            raise CannotMeasure("an interpreter was started in spite of the sign")
        return reading


def _hook(home: Home, payload: Mapping[str, object]) -> Program:
    """The hook as a client starts it; this process is the client it finds above itself."""
    text_in = home.folder / "payload.json"
    text_in.write_text(json.dumps(payload), encoding="utf-8")
    environment = {**home.environment, "CLAUDE_PID": str(os.getpid())}
    program = python("-I", "-m", "tidings.entrypoints.hook", "claude", environment=environment)
    return replace(program, text_in=str(text_in))


def _spools(home: Home) -> list[Path]:
    return list(home.state.glob("events/*.jsonl"))


BENCHMARKS = (
    Benchmark(
        name="hook-shell",
        claim="a hook that a file test can decide is at most two bare shells",
        unit=Unit.TIMES,
        bound=at_most(2, "issue 5"),
        enforced=True,
        measure=ended_by_the_shell,
    ),
    Benchmark(
        name="hook-quiet",
        claim="a hook with nothing to say is at most two bare interpreters",
        unit=Unit.TIMES,
        bound=at_most(2, "page 2, start-up cost"),
        enforced=True,
        measure=quiet_event,
    ),
    Benchmark(
        name="hook-recorded",
        claim="a hook that leaves a line in the spool is at most two bare interpreters",
        unit=Unit.TIMES,
        bound=at_most(2, "issue 5"),
        enforced=True,
        measure=recorded_event,
    ),
)
