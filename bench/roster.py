"""Listing sessions: as fast as reading their files allows, and no worse when there are many."""

import json
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmark import (
    Benchmark,
    CannotMeasure,
    Figure,
    Reading,
    Run,
    Unit,
    at_most,
    milliseconds,
)
from homes import Home
from session_files import filled_home

CHILD = str(Path(__file__).with_name("roster_child.py"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Listings:
    """Medians of one process that lists few records and many, and its memory around one list."""

    few_seconds: float
    many_seconds: float
    loop_seconds: float
    before_megabytes: float
    peak_megabytes: float


@cache
def listings(run: Run) -> Listings:
    """Few records, many, and a plain loop over the many, in turns, in a process of their own."""
    few, many = run.scale.records
    with filled_home(run, few) as small, filled_home(run, many) as large:
        run.say(f"listing {few} and {many} records in turns with a plain loop")
        found = _listed(small, large)
    if found["rows"] != many or found["alive"] != (many + 1) // 2:
        raise CannotMeasure(f"{many} records listed as {found['rows']}, {found['alive']} alive")
    return Listings(
        few_seconds=found["few_seconds"],
        many_seconds=found["many_seconds"],
        loop_seconds=found["loop_seconds"],
        before_megabytes=found["before_bytes"] / 1e6,
        peak_megabytes=found["peak_bytes"] / 1e6,
    )


def _listed(small: Home, large: Home) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, CHILD, str(small.state), str(large.state)],
        env=large.environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode:
        raise CannotMeasure(f"the listing child failed: {done.stderr.strip()[-200:]}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def against_loop(run: Run) -> Reading:
    """The roster beside a loop that opens and parses the same files."""
    found = listings(run)
    return Reading(
        value=found.many_seconds / found.loop_seconds,
        figures=(
            milliseconds("list", found.many_seconds),
            milliseconds("plain loop", found.loop_seconds),
            Figure(name="records", value=run.scale.records[1], unit=Unit.COUNT),
        ),
    )


def growth(run: Run) -> Reading:
    """Ten times the records beside one time."""
    found = listings(run)
    return Reading(
        value=found.many_seconds / found.few_seconds,
        figures=(
            milliseconds(f"{run.scale.records[0]} records", found.few_seconds),
            milliseconds(f"{run.scale.records[1]} records", found.many_seconds),
        ),
    )


def memory(run: Run) -> Reading:
    """The peak of a whole process that lists once, its interpreter included."""
    found = listings(run)
    return Reading(
        value=found.peak_megabytes,
        figures=(
            Figure(name="before the list", value=found.before_megabytes, unit=Unit.MEGABYTES),
            Figure(name="records", value=run.scale.records[1], unit=Unit.COUNT),
        ),
    )


BENCHMARKS = (
    Benchmark(
        name="roster-list",
        claim="a list is at most three times a plain loop over the same files",
        unit=Unit.TIMES,
        bound=at_most(3, "issue 3"),
        enforced=True,
        measure=against_loop,
    ),
    Benchmark(
        name="roster-growth",
        claim="ten times the records take about ten times as long",
        unit=Unit.TIMES,
        bound=at_most(15, "issue 3"),
        enforced=True,
        measure=growth,
    ),
    Benchmark(
        name="roster-memory",
        claim="a list of many records stays small in memory",
        unit=Unit.MEGABYTES,
        bound=at_most(60, "issue 3"),
        enforced=True,
        measure=memory,
    ),
)
