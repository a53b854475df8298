"""The table at the end of a run of the whole list: scenario, client version, verdict, seconds."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pytest

VERDICTS = {
    "passed": "passed",
    "failed": "FAILED",
    "error": "FAILED",
    "skipped": "skipped",
    "xfailed": "known fault",
    "xpassed": "PASSED, not expected",
}
ROLE = re.compile(r"\[(?:.*-)?(pinned|other)(?:-.*)?\]")
VERSION_PROPERTY = "client"
HEADING = ("scenario", "client", "verdict", "seconds")


@dataclass(slots=True)
class Row:
    """What became of one test with one client."""

    scenario: str
    client: str
    verdict: str = ""
    seconds: float = 0.0

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """The row as it is printed."""
        return self.scenario, self.client, self.verdict, f"{self.seconds:.1f}"


def table_lines(stats: Mapping[str, Iterable[object]]) -> Sequence[str]:
    """One line a test that had a client, sorted by scenario, and a line of counts.

    Seconds are everything the test took; tests that share one run of the client leave its time to
    the first of them.
    """
    rows: dict[str, Row] = {}
    for outcome, reports in stats.items():
        for report in reports:
            if isinstance(report, pytest.TestReport) and ROLE.search(report.nodeid):
                _add(rows, outcome, report)
    ordered = [row for _, row in sorted(rows.items())]
    counts = Counter((row.client, row.verdict) for row in ordered)
    told = [f"{client}: {count} {verdict}" for (client, verdict), count in sorted(counts.items())]
    return [*_aligned([HEADING, *(row.cells for row in ordered)]), "; ".join(told)]


def _add(rows: dict[str, Row], outcome: str, report: pytest.TestReport) -> None:
    role = ROLE.search(report.nodeid)
    client = role[1] if role else ""
    row = rows.setdefault(report.nodeid, Row(_scenario(report.nodeid), client))
    row.seconds += report.duration
    for name, value in report.user_properties:
        if name == VERSION_PROPERTY:
            row.client = f"{value} ({client})"
    row.verdict = VERDICTS.get(outcome, row.verdict)


def _scenario(node: str) -> str:
    """The test's name in words, with its other parameters."""
    name, _, rest = node.partition("@")[0].rpartition("::")[2].partition("[")
    others = [one for one in rest.rstrip("]").split("-") if one not in ("pinned", "other", "")]
    words = name.removeprefix("test_").replace("_", " ")
    return ", ".join([words, *(one.replace("_", " ") for one in others)])


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows)
    return ["  ".join(cells).rstrip() for cells in padded]
