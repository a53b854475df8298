"""The world of real processes: the demo's stage, with two simulated clients and the real command."""

from collections.abc import Callable, Sequence

from steps.ledger import Ledger, Trouble
from steps.observing import Observing
from steps.phrases import OUTCOMES
from steps.pretended_dialogs import Dialog
from tidings.domain.messages.receipt import MessageView
from tidings.domain.registration.shape import Shape
from tidings.entrypoints.demo.stage import Stage, until
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.ports.codec import Document

ERRORS = {code: token for token, code in OUTCOMES.values()}


class RealWorld:
    """``front`` and ``api`` as two processes. What a step asks for is waited for, never slept."""

    def __init__(self, ledger: Ledger, stage: Stage) -> None:
        self.ledger = ledger
        self._stage = stage
        self._observing = Observing(stage.app, ledger)

    def start(self, *names: str) -> None:
        assert set(names) == {"front", "api"}, names
        self._stage.open()
        self.comes_true(lambda: self._ready() == set(names), "both residents are registered")

    def arm(self, name: str, *, senders: Sequence[str] = (), hours: int = 0) -> None:
        options = [
            *(f"--from {sender}" for sender in senders),
            *([f"--for {hours}h"] * bool(hours)),
        ]
        self._tidings(name, f"arm {' '.join(options)} --json")

    def disarm(self, name: str) -> None:
        self._tidings(name, "disarm --json")

    def send(self, sender: str, target: str, text: str) -> None:
        self._tidings(sender, f"send {target} --json -- {text}", about=f"send to {target}")

    def answer(self, name: str, text: str) -> None:
        self._agent(name).wait_idle()
        self._agent(name).answer(text)

    def open_dialog(self, name: str, dialog: Dialog) -> None:
        assert dialog is Dialog.PERMISSION, dialog
        self._agent(name).wait_idle()
        self._agent(name).permission_dialog()

    def deny(self, name: str) -> None:
        self._agent(name).deny()

    def end(self, name: str) -> None:
        self._agent(name).crash()

    def moment(self) -> None:
        """Time passes by itself here, and steps wait for what they need."""

    def view(self, text: str = "") -> MessageView:
        return self._stage.app.post_office.view(self._observing.ref_of(text))

    def times_read(self, name: str, text: str) -> int:
        return self._agent(name).traces.times_read(f"| {text}")

    def comes_true(self, condition: Callable[[], object], what: str) -> None:
        until(condition, what)

    def _tidings(self, name: str, words: str, *, about: str = "") -> None:
        self._agent(name).wait_idle()
        code, said = self._stage.tidings(self._agent(name), words)
        if code or said.get("state") == "held":
            self.ledger.note(_trouble(about or words, code, said))

    def _agent(self, name: str) -> SimulatedHarness:
        return {"front": self._stage.front, "api": self._stage.api}[name]

    def _ready(self) -> set[str]:
        living = self._stage.app.admission.living()
        return {one.activation.address for one in living if one.shape is Shape.READY}


def _trouble(about: str, code: int, said: Document) -> Trouble:
    token = str(said.get("reason") or ERRORS[code])
    text = str(said.get("text") or said.get("error") or "")
    return Trouble(about=str(said.get("ref", about)), token=token, exit_code=code, text=text)
