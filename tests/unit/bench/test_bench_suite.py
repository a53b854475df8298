"""The benchmark suite as a program: what it prints, and when it fails."""

import json
import subprocess
import sys
from subprocess import CompletedProcess

from support.project import ROOT, run_python

BENCH = ROOT / "bench"

SCENE = f"""
import sys
sys.path.insert(0, {str(BENCH)!r})
from benchmark import QUICK, Benchmark, CannotMeasure, Reading, Unit, at_least, at_most
from run import run_all
from telling import Progress

def lost(run):
    raise CannotMeasure("the scene did not come up")

def one(name, measure=lambda run: Reading(value=3), **more):
    return Benchmark(name=name, claim="a claim", unit=Unit.TIMES, measure=measure, **more)

def suite(*benchmarks):
    return run_all(benchmarks, scale=QUICK, progress=Progress(), as_json=False)
"""


def suite(*words: str) -> CompletedProcess[str]:
    """As ``make bench`` calls it: not isolated, since its modules lie beside it."""
    return subprocess.run(
        [sys.executable, str(BENCH / "run.py"), *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def planted(expression: str) -> CompletedProcess[str]:
    """A suite of benchmarks that were made up here."""
    return run_python("-c", f"{SCENE}\nraise SystemExit(suite({expression}))")


def test_a_line_has_name_value_bound_verdict_and_the_base_of_the_same_run() -> None:
    done = suite("--quick", "--only", "import")
    name, value, unit, sense, limit, _, verdict, *figures = done.stdout.split()
    assert (name, unit, sense, limit) == ("import", "ms", "<=", "5")
    assert float(value) < 1_000
    assert (verdict == "ok", done.returncode) in ((True, 0), (False, 1))
    assert [figures[0], figures[3]] == ["import", "bare"]


def test_objects_for_scripts_and_plain_progress_in_a_pipe() -> None:
    done = suite("--quick", "--json", "--only", "first-name,import")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["name"] for row in rows] == ["import", "first-name"]
    assert all(row["v"] == 1 and row["limit"] and row["figures"] for row in rows)
    assert done.stderr == "measuring import\nmeasuring first-name\n"


def test_an_unknown_name_is_a_wrong_call_and_measures_nothing() -> None:
    done = suite("--only", "import,nothing")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no benchmark nothing" in done.stderr


def test_every_benchmark_has_a_claim_and_a_name_of_its_own() -> None:
    lines = suite("--list").stdout.splitlines()
    names = [line.split()[0] for line in lines]
    assert len(names) == len(set(names)) > 10
    assert all(len(line.split()) > 3 for line in lines)


def test_an_enforced_bound_that_is_broken_fails_the_run() -> None:
    done = planted(
        "one('low', bound=at_most(3, 's')), one('high', bound=at_most(2, 's'), enforced=True)"
    )
    assert done.returncode == 1
    assert [line.split()[5] for line in done.stdout.splitlines()] == ["ok", "over"]


def test_a_bound_of_a_later_issue_is_told_and_fails_nothing() -> None:
    done = planted("one('slow', bound=at_least(4, 's'), because='issue 9 owns it')")
    assert done.returncode == 0
    assert done.stdout.split()[:6] == ["slow", "3.00x", ">=", "4", "x", "under"]
    assert done.stdout.rstrip().endswith("(not enforced: issue 9 owns it)")


def test_what_cannot_be_measured_fails_the_run_and_the_rest_is_still_measured() -> None:
    done = planted("one('lost', measure=lost), one('fine')")
    assert done.returncode == 1
    first, second = done.stdout.splitlines()
    assert first.split(maxsplit=1)[1] == "not measured: the scene did not come up"
    assert second.split()[:3] == ["fine", "3.00x", "report"]
