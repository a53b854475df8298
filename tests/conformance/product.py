"""Tidings as its user has it in one world: hooks, plugin, and the command (D10, D12)."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.plain import document, items, parsed
from conformance.world import World
from support.terminals import at_a_terminal
from support.waiting import until
from tidings.ports.codec import Document, Value

HOOK_COMMAND = f"exec {sys.executable} -I -m tidings.entrypoints.hook claude"
MONITOR_COMMAND = f"exec {sys.executable} -I -m tidings monitor 2>>{{log}}"
EVIDENCE_SECONDS = 20.0
NOTE_CHARACTERS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What one call of the command came to."""

    code: int
    output: Value
    error: str

    @property
    def row(self) -> Document:
        """The object it printed; empty where it printed none."""
        return document(self.output)


class Command:
    """The command in one world, as it is installed."""

    def __init__(self, world: World, python: Path = Path(sys.executable)) -> None:
        self.world = world
        self.plugin: Path | None = None
        self._command = (str(python), "-I", "-m", "tidings")
        self._noted = ""

    def call(self, verb: str, *words: str) -> Called:
        """``tidings VERB --json WORDS``, run as a script would: without a terminal."""
        return self._call([*self._command, *verb.split(), "--json", *words])

    def arm(self, *words: str) -> Called:
        """``tidings arm --json WORDS``, run as the operator would: at a terminal."""
        return self.typed("arm", *words)

    def typed(self, verb: str, *words: str) -> Called:
        """``tidings VERB --json WORDS``, run at a terminal."""
        return self._call(at_a_terminal([*self._command, verb, "--json", *words]))

    def embed(self, program: str, *words: str, folder: Path | None = None) -> Document:
        """What a Python program that embeds the library prints, as one JSON object."""
        done = self.world.run([sys.executable, "-I", "-c", program, *words], folder=folder)
        self._note(f"a program ended with {done.returncode}: {done.stderr[-NOTE_CHARACTERS:]}\n")
        return document(parsed(done.stdout))

    def _call(self, command: Sequence[str]) -> Called:
        done = self.world.run(command)
        told = (done.stderr or done.stdout)[:NOTE_CHARACTERS]
        self._note(f"{command[-3:]} ended with {done.returncode}: {told}\n")
        return Called(code=done.returncode, output=parsed(done.stdout), error=done.stderr.strip())

    def wait_for_session(self, address: str) -> Document:
        """The row of ``address`` in ``ls``, as soon as its resident has made it reachable."""
        return self._wait_for(lambda: self._ready("address", address), what=f"{address} in ls")

    def wait_for_process(self, pid: int) -> Document:
        """The row of the session whose client is ``pid``, as soon as it is reachable."""
        return self._wait_for(lambda: self._ready("pid", pid), what=f"the session of {pid} in ls")

    def wait_for_instant(self, ref: str, name: str) -> Document:
        """The message as ``show`` tells it, as soon as it has the instant ``name``."""

        def reached() -> Document:
            row = self.call("show", ref).row
            return row if row.get(name) else {}

        return self._wait_for(reached, what=f"{name} of {ref}")

    def _note(self, line: str) -> None:
        """Keeps what a call came to for a failure report; polling repeats itself."""
        if line != self._noted:
            with self.world.log("calls").open("a") as log:
                log.write(line)
        self._noted = line

    def _wait_for(self, look: Callable[[], Document], *, what: str) -> Document:
        return until(look, timeout=EVIDENCE_SECONDS, what=what)

    def _ready(self, column: str, value: Value) -> Document:
        rows = [document(row) for row in items(self.call("ls").output)]
        wanted = (value, "ready")
        found = [row for row in rows if (row.get(column), row.get("registration")) == wanted]
        return found[0] if found else {}


class Product(Command):
    """The command, and a world that was given the hooks and a plugin by hand."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        world.use_hooks(HOOK_COMMAND)
        monitor = MONITOR_COMMAND.format(log=world.log("monitor"))
        self.plugin = world.make_plugin("tidings", monitor_command=monitor)
