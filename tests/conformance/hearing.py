"""One session with the product in it, and what becomes of the messages that are sent to it."""

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from conformance.plain import text_of
from conformance.product import Called, Command
from conformance.records import PublishedSession
from conformance.stage import Stage
from support.waiting import until
from tidings.ports.codec import Document, Value

SECOND_NS = 1_000_000_000
STATUS_SECONDS = 15.0
HEARD_SECONDS = 20.0


class Hearing:
    """A session called ``name`` in the world of ``product``, which brings a plugin or was set up, from its start on."""

    def __init__(
        self,
        stage: Stage,
        product: Command,
        name: str,
        *arguments: str,
        folder: Path | None = None,
        mode: str = "manual",
        pid: int | None = None,
    ) -> None:
        self.stage = stage
        self.product = product
        self.world = product.world
        plugin = ("--plugin-dir", str(product.plugin)) if product.plugin else ()
        told = len(self.world.hook_calls())
        self.terminal = stage.launch(
            self.world, "--name", name, *plugin, *arguments, folder=folder, mode=mode, pid=pid
        )
        self.published: PublishedSession = self.world.idle_session(self.terminal, after=told)
        self.address = text_of(product.wait_for_process(self.pid).get("address"))

    @property
    def pid(self) -> int:
        """The client's process."""
        return self.terminal.pid

    def ask(self, *steps: Document) -> None:
        """Types a prompt that makes the model take ``steps``."""
        self.world.ask(self.terminal, script(steps))

    def dialog(self, *steps: Document, shows: str) -> None:
        """The same, and waits for the dialog that shows ``shows``: published, and drawn."""
        before = self.terminal.position()
        self.ask(*steps)
        self.wait_status("waiting")
        self.terminal.wait_for(shows, since=before)

    def wait_status(self, status: str) -> None:
        """Waits until the client publishes ``status``."""
        until(
            lambda: self.world.status(self.pid) == status,
            timeout=STATUS_SECONDS,
            what=f"the status {status}",
        )

    def press(self, keys: str) -> None:
        """Presses ``keys`` at an open dialog until it is closed."""
        self.terminal.press_until(
            keys, lambda: self.world.status(self.pid) != "waiting", what="the end of the dialog"
        )

    def wait_for_turns(self, count: int) -> None:
        """Waits until ``count`` turns ended in all: by their hook, whatever the status says."""
        until(
            lambda: self.world.count("Stop") >= count,
            timeout=STATUS_SECONDS,
            what=f"{count} turns ended",
        )

    def send(self, text: str, *words: str) -> Called:
        """A script's message to this session."""
        return self.product.call("send", self.address, *words, "--", text)

    def reach(self, text: str) -> Document:
        """How far ``text`` came in the session's newest conversation."""
        return self.stage.model.reach(text)

    def hear(self, text: str) -> None:
        """Waits until the model was asked with ``text`` before it."""
        until(lambda: self.reach(text)["brought_by"], timeout=HEARD_SECONDS, what=f"{text!r} heard")

    def hear_more(self, count: int) -> None:
        """Waits until the model was asked more than ``count`` questions in all by this session."""
        until(lambda: self.asked() > count, timeout=HEARD_SECONDS, what=f"{count} questions")

    def asked(self) -> int:
        """How many questions this session's conversation brought to the model."""
        ours = self.published.session_id
        return sum(one.session_id == ours for one in self.stage.model.questions())

    def heard(self, sent: Called, text: str) -> Document:
        """What became of ``sent`` once the model was asked with it and our hook told so."""
        self.hear(text)
        row = self.product.wait_for_instant(text_of(sent.row.get("ref")), "seen_at")
        return {"message": row, "reach": self.reach(text)}

    def rest(self) -> None:
        """Waits until no turn runs and no dialog is open."""
        self.world.wait_between_turns(self.pid)


def script(steps: Sequence[Document], *, mark: str = "%%") -> str:
    """A prompt that makes the pretended model take ``steps``."""
    listed: list[Value] = [*steps]
    return f"{mark}{json.dumps(listed)}{mark}"


def bash(command: str) -> Document:
    """The step in which the model wants to run ``command``."""
    return {"tool": "Bash", "input": {"command": command, "description": "run"}}


def instant_ns(row: Document, name: str) -> int:
    """The instant ``name`` of a row, in nanoseconds since 1970."""
    seconds = datetime.fromisoformat(text_of(row.get(name))).timestamp()
    return int(seconds * SECOND_NS)
