"""What the suite prints: a line for people, an object for scripts, and progress on the side."""

import sys
from typing import TextIO

from benchmark import Benchmark, Figure, Reading, Unit

LONGEST_NAME = 17
CLEAR_LINE = "\r\x1b[K"


def line_of(benchmark: Benchmark, reading: Reading) -> str:
    """Name, value, bound, verdict, absolute figures, and why a bound is not enforced."""
    value = shown(reading.value, benchmark.unit)
    parts = [f"{benchmark.name:<{LONGEST_NAME}}{value:>9}  {_bound(benchmark):<10}"]
    parts.append(f"{benchmark.judge(reading):<7}")
    parts.append(", ".join(_figure(figure) for figure in reading.figures))
    return " ".join(parts).rstrip() + _why_not_enforced(benchmark)


def document_of(benchmark: Benchmark, reading: Reading) -> dict[str, object]:
    """The same for scripts; ``limit`` and ``sense`` are null where there is no bound."""
    bound = benchmark.bound
    return {
        "v": 1,
        "name": benchmark.name,
        "claim": benchmark.claim,
        "value": reading.value,
        "unit": str(benchmark.unit),
        "sense": None if bound is None else str(bound.sense),
        "limit": None if bound is None else bound.limit,
        "source": None if bound is None else bound.source,
        "verdict": str(benchmark.judge(reading)),
        "enforced": benchmark.enforced,
        "because": benchmark.because,
        "figures": [
            {"name": one.name, "value": one.value, "unit": str(one.unit)} for one in reading.figures
        ],
    }


def failure_line(benchmark: Benchmark, why: str) -> str:
    """A benchmark without a number."""
    return f"{benchmark.name:<{LONGEST_NAME}} not measured: {why}"


def failure_document(benchmark: Benchmark, why: str) -> dict[str, object]:
    """The same for scripts."""
    return {"v": 1, "name": benchmark.name, "verdict": "not-measured", "why": why}


def shown(value: float, unit: Unit) -> str:
    """Three digits that matter, with the unit."""
    if unit is Unit.COUNT:
        return f"{value:.0f}"
    digits = 2 if value < 10 else 1 if value < 100 else 0
    gap = "" if unit in (Unit.TIMES, Unit.PER_SECOND) else " "
    return f"{value:.{digits}f}{gap}{unit}"


def _figure(figure: Figure) -> str:
    return f"{figure.name} {shown(figure.value, figure.unit)}"


def _bound(benchmark: Benchmark) -> str:
    bound = benchmark.bound
    return "" if bound is None else f"{bound.sense} {bound.limit:g} {benchmark.unit}"


def _why_not_enforced(benchmark: Benchmark) -> str:
    return f"  (not enforced: {benchmark.because})" if benchmark.because else ""


class Progress:
    """What is being done right now: one line that is written over, or plain lines in a pipe."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        self._stream = stream
        self._overwrites = stream.isatty()
        self._begun = ""

    def begin(self, name: str) -> None:
        """The benchmark that is measured from now on."""
        self._begun = name
        self.say("")

    def say(self, text: str) -> None:
        """What it is doing."""
        words = f"measuring {self._begun}" + (f": {text}" if text else "")
        self._stream.write(f"{CLEAR_LINE}{words}" if self._overwrites else f"{words}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Makes room for a result."""
        if self._overwrites:
            self._stream.write(CLEAR_LINE)
            self._stream.flush()
