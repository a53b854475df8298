"""Starting the writers, letting them go at once, and hearing what each stored."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmark import CannotMeasure

CHILD = str(Path(__file__).with_name("writers_child.py"))
WRITERS = 8
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What one writer says it stored."""

    refs: tuple[str, ...]
    longest_seconds: float


def write_together(
    kind: str, path: str, environment: Mapping[str, str], *, seconds: float
) -> list[Written]:
    """Starts all writers, lets them go at once, and hears what each stored."""
    words = [sys.executable, CHILD, kind, path, str(seconds)]
    children = [_started([*words, f"writer-{number}"], environment) for number in range(WRITERS)]
    try:
        for child in children:
            _line_of(child)  # it is ready
        for child in children:
            _tell(child)
        return [_heard(child) for child in children]
    finally:
        for child in children:
            child.kill()
            child.communicate()


def _started(words: Sequence[str], environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        words,
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _line_of(child: "subprocess.Popen[str]") -> str:
    assert child.stdout is not None
    line = child.stdout.readline()
    if not line:
        _, errors = child.communicate(timeout=PATIENCE_SECONDS)
        raise CannotMeasure(f"a writer failed: {errors.strip()[-200:]}")
    return line


def _tell(child: "subprocess.Popen[str]") -> None:
    assert child.stdin is not None
    child.stdin.write("go\n")
    child.stdin.flush()


def _heard(child: "subprocess.Popen[str]") -> Written:
    found = json.loads(_line_of(child))
    return Written(refs=tuple(found["refs"]), longest_seconds=found["longest_seconds"])
