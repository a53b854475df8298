"""The demo's stage: a throwaway home and state, two simulated agents, and the product's own faces."""

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from tidings.domain.setup.pieces import EVENTS, hook_group
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.ports.codec import Document
from tidings.ports.tokens import Verdict

PATIENCE_SECONDS = 8.0
LOOK_SECONDS = 0.02


class StepFailed(Exception):
    """A step did not come to what it promises; the text says what was seen instead."""


class Stage:
    """Two sessions, ``front`` and ``api``, as a person would have them in two terminals."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tidings-demo-"))
        self.environment = {
            "HOME": str(self.folder / "home"),
            "TIDINGS_HOME": str(self.folder / "state"),
        }
        self.app: Application = open_application(self.environment)
        self._settings()
        self.front = self._agent("front", "shop-front")
        self.api = self._agent("api", "shop-api")

    def open(self) -> None:
        """Starts both clients, each with Tidings' monitor."""
        self.front.start()
        self.api.start()

    def close(self) -> None:
        """Ends everything that was started and removes the throwaway folder."""
        self.front.close()
        self.api.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def tidings(self, agent: SimulatedHarness, words: str) -> tuple[int, Document]:
        """The agent's model runs the command; its exit code and its JSON."""
        ran = agent.command(f"{sys.executable} -I -m tidings {words}")
        text = ran.output or ran.errors
        try:
            return ran.exit_code, cast("Document", json.loads(text.strip().splitlines()[-1]))
        except (IndexError, ValueError) as fault:
            raise StepFailed(f"`tidings {words}` printed {text!r}") from fault

    def verdict(self, address: str) -> Verdict:
        """What the liveness function says of the session at ``address``; unknown if there is none."""
        for one in self.app.admission.living():
            if one.activation.address == address:
                return one.verdict
        return Verdict.UNKNOWN

    def _settings(self) -> None:
        settings = {"hooks": {event: [hook_group(sys.executable, event)] for event in EVENTS}}
        path = Path(self.environment["HOME"]) / ".claude" / "settings.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings), encoding="utf-8")

    def _agent(self, name: str, project: str) -> SimulatedHarness:
        return SimulatedHarness(
            home=Path(self.environment["HOME"]),
            cwd=self.folder / project,
            name=name,
            monitor=f"exec {sys.executable} -I -m tidings monitor",
            environment=_only(self.environment, "TIDINGS_HOME"),
        )


def until(condition: Callable[[], object], what: str, *, seconds: float = PATIENCE_SECONDS) -> None:
    """Looks again and again; raises ``StepFailed`` when ``what`` is still not so."""
    ends_at = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > ends_at:
            raise StepFailed(f"after {seconds:g} s still not: {what}")
        time.sleep(LOOK_SECONDS)


def _only(environment: Mapping[str, str], *names: str) -> dict[str, str]:
    return {name: environment[name] for name in names}
