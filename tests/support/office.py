"""Two real sessions with residents, and the command as a person, a script or a model runs it."""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.terminals import at_a_terminal
from support.waiting import until
from tidings.domain.registration.shape import Shape
from tidings.entrypoints.demo.stage import Stage
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.ports.agents import ActivationRow

TIDINGS = (sys.executable, "-I", "-m", "tidings")

# ``pty.spawn`` gives its child a controlling terminal and copies what it prints.
ON_A_TERMINAL = """
import os, pty, sys
raise SystemExit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], lambda fd: os.read(fd, 65536))))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON value."""
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """Standard error as one JSON object."""
        return json.loads(self.err)


class Office:
    """``front`` and ``api`` run, each with its monitor; ``stage`` has the rest."""

    def __init__(self) -> None:
        self.stage = Stage()
        self.app = self.stage.app
        self.front = self.stage.front
        self.api = self.stage.api

    @property
    def state(self) -> Path:
        """The state folder."""
        return Path(self.stage.environment["TIDINGS_HOME"])

    def open(self) -> "Office":
        """Starts both and waits for their residents."""
        self.stage.open()
        until(lambda: self.ready() == {"api", "front"}, 15, "two registered sessions")
        return self

    def ready(self) -> set[str]:
        """The addresses whose resident is registered and alive."""
        return {
            one.activation.address
            for one in self.app.admission.living()
            if one.shape is Shape.READY
        }

    def activation(self, address: str) -> ActivationRow:
        """The living run at an address."""
        return self.app.admission.resolve(address)

    def script(
        self, *words: str | bytes, stdin: bytes = b"", cwd: Path | None = None, **environment: str
    ) -> Said:
        """The command without a terminal and without a harness above it."""
        return run(
            [*TIDINGS, *words],
            environment={**self.stage.environment, **environment},
            stdin=stdin,
            cwd=cwd or self.stage.folder,
        )

    def operator(self, *words: str, stdin: bytes = b"", **environment: str) -> Said:
        """The command as a person runs it: with a controlling terminal, its output apart."""
        return run(
            at_a_terminal([*TIDINGS, *words]),
            environment={**self.stage.environment, **environment},
            stdin=stdin,
            cwd=self.stage.folder,
        )

    def terminal(self, *words: str, stdin: bytes = b"") -> Said:
        """The command on a terminal of its own; all that it prints is in ``out``."""
        said = run(
            [sys.executable, "-c", ON_A_TERMINAL, *TIDINGS, *words],
            environment=self.stage.environment,
            stdin=stdin,
            cwd=self.stage.folder,
        )
        return Said(code=said.code, out=said.out.replace("\r\n", "\n"), err=said.err)

    def inside(self, agent: SimulatedHarness, words: str) -> Said:
        """The command as the agent's model runs it in its shell."""
        ran = agent.command(f"{' '.join(TIDINGS)} {words}")
        return Said(code=ran.exit_code, out=ran.output, err=ran.errors)

    def arm(self, agent: SimulatedHarness | None = None, *words: str) -> None:
        """``api`` (or another) hears, by its operator's word."""
        address = (agent or self.api).view().name
        assert self.operator("arm", address, *words).code == 0

    def disarm(self, agent: SimulatedHarness | None = None) -> None:
        """``api`` (or another) hears nothing."""
        assert self.script("disarm", (agent or self.api).view().name).code == 0

    def close(self) -> None:
        """Ends everything that was started."""
        self.stage.close()


@contextmanager
def opened_office() -> Generator[Office]:
    """An office with both sessions at work."""
    office = Office()
    try:
        yield office.open()
    finally:
        office.close()


def run(
    command: Sequence[str | bytes], *, environment: dict[str, str], stdin: bytes, cwd: Path
) -> Said:
    """A command in a session of its own, so that no terminal of ours is its terminal."""
    done = subprocess.run(
        command,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **environment},
        input=stdin,
        cwd=cwd,
        capture_output=True,
        timeout=40,
        check=False,
        start_new_session=True,
    )
    return Said(
        code=done.returncode,
        out=done.stdout.decode("utf-8", "surrogateescape"),
        err=done.stderr.decode("utf-8", "surrogateescape"),
    )
