"""Runs one scenario in a namespace of its own and brings its facts back to the test."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from conformance.clients import Client
from conformance.namespace import emptied_at_the_end
from conformance.plain import read_document
from tidings.ports.codec import Document

TESTS = Path(__file__).parents[1]
SCENARIO_SECONDS = 180.0
GOODBYE_SECONDS = 15.0
REPORT_CHARACTERS = 8000
OWN_PIDS = ("--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", '"$@" & wait $!', "sh")
"""Process numbers of its own for what follows, below a shell that reaps the orphans."""

NEEDS_OWN_PIDS = frozenset(("reborn",))
"""Scenarios that give a process the number of an earlier one."""

KEEP_VARIABLE = "TIDINGS_CONFORMANCE_KEEP"


class ScenarioFailed(AssertionError):
    """The scenario gave no facts; the text ends with its terminal, hooks and traceback."""


def run_scenario(name: str, *, client: Client, entering: tuple[str, ...]) -> Document:
    """The facts that scenario ``name`` found with ``client``, within ``SCENARIO_SECONDS``.

    Everything it started is ended before this returns, and its folder is removed, unless
    ``TIDINGS_CONFORMANCE_KEEP`` is set. Raises ``ScenarioFailed``.
    """
    folder = Path(tempfile.mkdtemp(prefix="td-", dir="/tmp"))  # short: sockets live below it
    try:
        return _facts(name, client, entering, folder)
    finally:
        if not os.environ.get(KEEP_VARIABLE):
            shutil.rmtree(folder, ignore_errors=True)


def _facts(name: str, client: Client, entering: tuple[str, ...], folder: Path) -> Document:
    argv = [sys.executable, "-W", "error", "-m", "conformance.scenario", name]
    argv += ["--client", str(client.program), "--version", client.version, "--folder", str(folder)]
    report = folder / "report.txt"
    with report.open("wb") as output:
        process = subprocess.Popen(
            [*entering, *(OWN_PIDS if name in NEEDS_OWN_PIDS else ()), *argv],
            cwd=folder,
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        with emptied_at_the_end(process.pid):
            code = _ended(process)
    facts = read_document(folder / "facts.json")
    if code == 0 and facts:
        return facts
    told = report.read_text(encoding="utf-8", errors="replace")[-REPORT_CHARACTERS:]
    raise ScenarioFailed(f"scenario {name} ended with {code} in {folder}:\n{told}")


def _ended(process: subprocess.Popen[bytes]) -> int:
    """Waits; a scenario that takes too long is asked to end itself and report, then made to."""
    try:
        return process.wait(SCENARIO_SECONDS)
    except subprocess.TimeoutExpired:
        process.terminate()
    try:
        return process.wait(GOODBYE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def _environment(folder: Path) -> dict[str, str]:
    inherited = os.environ.get("PYTHONPATH")
    paths = [str(TESTS), *([inherited] if inherited else [])]
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
