"""Timing whole processes, one after another and in turns, so that a noisy machine hits all alike."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmark import CannotMeasure, Reading, Run, milliseconds

PYTHON = sys.executable
TIDINGS = str(Path(PYTHON).with_name("tidings"))
"""The installed command, beside the interpreter that runs the suite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A process to time. ``expects`` is the exit code without which its time means nothing."""

    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    text_in: str = os.devnull
    expects: int = 0


def python(*words: str, environment: Mapping[str, str] | None = None) -> Program:
    """This very interpreter with ``words``."""
    return Program(words=(PYTHON, *words), environment=environment or {})


def tidings(*words: str, environment: Mapping[str, str], expects: int = 0) -> Program:
    """The command as people and scripts call it."""
    return Program(words=(TIDINGS, *words), environment=environment, expects=expects)


def medians_in_turns(programs: Sequence[Program], *, rounds: int) -> list[float]:
    """The median seconds of each program. One unmeasured round warms caches and compiles.

    Every second round goes backwards, so that none is always the one after a heavier one.
    """
    times: list[list[float]] = [[] for _ in programs]
    for program in programs:
        seconds_of(program)
    order = list(range(len(programs)))
    for _ in range(rounds):
        for index in order:
            times[index].append(seconds_of(programs[index]))
        order.reverse()
    return [median(one) for one in times]


def seconds_of(program: Program) -> float:
    """Runs it once, from the spawn to its end. Raises ``CannotMeasure`` for another exit code."""
    begun_at = time.perf_counter()
    child = os.posix_spawn(
        program.words[0],
        program.words,
        program.environment,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, program.text_in, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ],
    )
    _, status = os.waitpid(child, 0)
    took_seconds = time.perf_counter() - begun_at
    code = os.waitstatus_to_exitcode(status)
    if code != program.expects:
        raise CannotMeasure(f"exit {code} instead of {program.expects}: {_what_it_says(program)}")
    return took_seconds


def ratio_to_bare(run: Run, name: str, program: Program, bare: Program) -> Reading:
    """How many times ``bare`` the program takes."""
    took, base = medians_in_turns([program, bare], rounds=run.scale.rounds)
    return Reading(
        value=took / base, figures=(milliseconds(name, took), milliseconds("bare", base))
    )


def beyond_bare(run: Run, name: str, program: Program, bare: Program) -> Reading:
    """How many milliseconds more than ``bare`` the program takes."""
    took, base = medians_in_turns([program, bare], rounds=run.scale.rounds)
    return Reading(
        value=(took - base) * 1_000,
        figures=(milliseconds(name, took), milliseconds("bare", base)),
    )


def _what_it_says(program: Program) -> str:
    """The last line of the program, run once more to be heard."""
    with open(program.text_in, "rb") as text_in:
        said = subprocess.run(
            program.words,
            env=dict(program.environment),
            stdin=text_in,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    lines = (said.stderr or said.stdout).strip().splitlines()
    return lines[-1] if lines else f"`{' '.join(program.words)}` said nothing"
