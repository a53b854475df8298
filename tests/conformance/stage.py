"""What a scenario stands on: the client, the pretended model, worlds, and a report if it fails."""

import signal
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from conformance.clients import Client
from conformance.model_server import ModelServer
from conformance.terminal import Terminal
from conformance.world import World
from support.waiting import until

LAST_PID = Path("/proc/sys/kernel/ns_last_pid")
"""The number that was given to a process last; the next one gets the next free number."""

PID_SECONDS = 20.0


class Stage:
    """Open for one scenario; on a failure its end writes the tails of all that was going on."""

    def __init__(self, folder: Path, client: Client) -> None:
        self._folder = folder
        self.client = client
        self.model = ModelServer(folder / "model-requests.jsonl")
        self._worlds: list[World] = []
        self._terminals: list[Terminal] = []

    def __enter__(self) -> Self:
        self.model.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for terminal in self._terminals:
            terminal.end()
        self.model.__exit__(kind, error, trace)
        if error is not None:
            sys.stderr.write(self._tails())

    def world(self, name: str = "h") -> World:
        """A new home; ``name`` is short, since socket paths grow from it."""
        world = World(self._folder / name, model_url=self.model.url)
        self._worlds.append(world)
        return world

    def launch(
        self,
        world: World,
        *arguments: str,
        folder: Path | None = None,
        mode: str = "manual",
        pid: int | None = None,
    ) -> Terminal:
        """The client in ``world`` on a terminal; it is ended with the stage at the latest.

        With ``pid`` its process gets that number, in a scenario that has its process numbers to
        itself.
        """

        def started() -> Terminal | None:
            if pid is not None:
                LAST_PID.write_text(str(pid - 1), encoding="ascii")
            terminal = world.launch(self.client, *arguments, folder=folder, mode=mode)
            self._terminals.append(terminal)
            if pid in (None, terminal.pid):
                return terminal
            terminal.end(signal.SIGKILL)
            return None

        terminal = until(started, timeout=PID_SECONDS, what=f"a client with the number {pid}")
        assert terminal is not None
        return terminal

    def _tails(self) -> str:
        parts = [f"--- terminal of {each.pid}\n{each.tail()}" for each in self._terminals]
        parts += [f"--- hooks in {each.home.name}\n{each.tails()}" for each in self._worlds]
        asked = [question.fresh_text[-600:] for question in self.model.questions()[-3:]]
        return "\n".join([*parts, "--- newest questions to the model", *asked, ""])
