"""``roster_child.py FEW MANY``: lists the sessions of two state folders in turns; prints medians."""

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

from tidings.entrypoints.assembly import open_application
from tidings.ports.tokens import Verdict

ROUNDS = 7
STATUS = "/proc/self/status"
HIGH_WATER = "VmHWM:"
BYTES_PER_KIB = 1_024


def main(few_state: str, many_state: str) -> None:
    """One list for memory and facts, then rounds of all for time."""
    few, many = (open_application(os.environ, home=home).roster for home in (few_state, many_state))
    found: dict[str, float] = {"before_bytes": peak_bytes()}
    rows = many.list()
    found |= {"peak_bytes": peak_bytes(), "rows": len(rows)}
    found["alive"] = sum(row.verdict is Verdict.ALIVE for row in rows)
    del rows
    folder = Path(many_state) / "sessions"
    works: dict[str, Callable[[], object]] = {
        "few_seconds": few.list,
        "many_seconds": many.list,
        "loop_seconds": lambda: plain_loop(folder),
    }
    sys.stdout.write(json.dumps(found | medians_in_turns(works)))


def medians_in_turns(works: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """The median seconds of each."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            times[name].append(_seconds(work))
    return {name: median(one) for name, one in times.items()}


def plain_loop(folder: Path) -> list[object]:
    """What nobody can be faster than: every file opened, read and parsed."""
    documents: list[object] = []
    for name in os.listdir(folder):
        with open(f"{folder}/{name}", "rb") as handle:
            documents.append(json.loads(handle.read()))
    return documents


def peak_bytes() -> int:
    """The most this process ever held.

    Linux lets ``ru_maxrss`` begin with the parent's size at the exec, so its status file is asked
    there; macOS counts ``ru_maxrss`` in bytes.
    """
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open(STATUS, encoding="ascii") as handle:
        line = next(line for line in handle if line.startswith(HIGH_WATER))
    return int(line.split()[1]) * BYTES_PER_KIB


def _seconds(work: Callable[[], object]) -> float:
    begun_at = time.perf_counter()
    work()
    return time.perf_counter() - begun_at


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
