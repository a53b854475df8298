"""The package is removed under live sessions: they go on as if it had never been there (D10, D12)."""

import json
import shutil
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

import tidings
from support.office import TIDINGS, run
from support.residents import helpers_of_state, is_running, phase_of, words_of
from support.terminals import at_a_terminal
from support.waiting import until
from tidings.domain.setup.pieces import EVENTS, hook_group
from tidings.domain.setup.plugin import monitor_command
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.simulated.script import UseTool

pytestmark = [
    pytest.mark.xdist_group("removed-package"),
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc"),
]


class Installation:
    """Another installation of this package, which a test may remove."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False)
        self.python = str(folder / "bin" / "python")
        site = sysconfig.get_path("purelib", vars={"base": str(folder)})
        self.package = Path(site) / "tidings"
        shutil.copytree(Path(tidings.__file__).parent, self.package)

    def remove(self) -> None:
        shutil.rmtree(self.package)


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path / "venv")


@pytest.fixture(params=["monitor", "helper"])
def session(
    request: pytest.FixtureRequest, installation: Installation, tmp_path: Path
) -> Iterator[SimulatedHarness]:
    """With hooks of that installation, and a resident from its monitor or from a hook."""
    settings = tmp_path / "home" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    hooks = {event: [hook_group(installation.python, event)] for event in EVENTS}
    settings.write_text(json.dumps({"hooks": hooks}))
    is_monitor = request.param == "monitor"
    with SimulatedHarness(
        home=tmp_path / "home",
        cwd=tmp_path / "proj",
        name="orphan",
        monitor=monitor_command(installation.python) if is_monitor else "",
        environment={"TIDINGS_HOME": str(tmp_path / "state")},
    ) as harness:
        yield harness


def resident(session: SimulatedHarness, state: Path) -> int:
    """Its resident, at rest: it has looked once, and so has loaded what it needs for that."""
    sign = state / "events" / f"{session.pid}.quiet"

    def found() -> list[int]:
        pids = [session.view().monitor_pid, *helpers_of_state(state)]
        return [pid for pid in pids if pid and phase_of(pid) == "dormant" and sign.exists()]

    return until(found, 15, "a dormant resident")[0]


def test_hooks_and_resident_fall_silent_and_the_session_goes_on(
    session: SimulatedHarness, installation: Installation, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    pid = resident(session, state)
    is_monitor = pid == session.view().monitor_pid
    installation.remove()
    environment = {"HOME": str(tmp_path / "home"), "TIDINGS_HOME": str(state)}
    armed = run(
        at_a_terminal([*TIDINGS, "arm", "orphan"]),
        environment=environment,
        stdin=b"",
        cwd=tmp_path,
    )
    assert armed.code == 0, armed
    if is_monitor:
        until(lambda: words_of(pid)[:1] == ["tail"], 10, "the sleeper in its place")
    else:
        until(lambda: not is_running(pid), 10, "its end")
    session.prompt("work", UseTool(tool_input={"command": "make"}))
    session.wait_idle()
    assert len(session.traces.requests()) == 2, "the prompt and its tool, and nothing of ours"
    assert session.traces.times_read("Monitor") == 0
    assert helpers_of_state(state) == []
    session.exit()
    until(lambda: not is_running(pid), 10, "the end of the sleeper with its session")
