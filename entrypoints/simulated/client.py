"""Driving one simulated harness from a test or the demo."""

from tidings.entrypoints.simulated.options import PermissionMode
from tidings.entrypoints.simulated.ran import Ran
from tidings.entrypoints.simulated.script import (
    AskOperator,
    Delegate,
    Elicit,
    FailCall,
    SendText,
    Step,
    Think,
    UseTool,
    to_document,
)
from tidings.entrypoints.simulated.session import TIMEOUT_SECONDS, SimulatedSession
from tidings.entrypoints.simulated.view import HarnessGone, HarnessRefused, StillWaiting
from tidings.ports.codec import Document, Value

__all__ = ["HarnessGone", "HarnessRefused", "SimulatedHarness", "StillWaiting"]


class SimulatedHarness(SimulatedSession):
    """One session. Not started until ``start`` (or ``with``); ended, children too, by ``close``.

    Verbs that open or begin something return once it is so. The settings with the hooks are the
    caller's to write, at ``home/.claude/settings.json``, in the client's shape, at any time.
    Every verb raises ``HarnessRefused`` where it does not fit the moment and ``HarnessGone`` where
    the process ended. ``environment`` is added to the little that is passed on (PATH, LANG).
    """

    def prompt(self, text: str, *steps: Step) -> None:
        """The operator types ``text``; the model does ``steps`` and answers. Does not wait."""
        self.ask("prompt", text=text, steps=_documents(steps))

    def plan(self, *steps: Step) -> None:
        """What the model will do in the next turn that something else than a person starts."""
        self.ask("plan", steps=_documents(steps))

    def think(self, seconds: float | None = None) -> None:
        """A turn whose model call runs for ``seconds``, or until ``finish``."""
        self._begin(Think(seconds=seconds))

    def busy(self, seconds: float | None = None) -> None:
        """A turn whose tool runs for ``seconds``, or until ``finish``."""
        self._begin(UseTool(tool_input={"command": "make"}, seconds=seconds))

    def finish(self) -> None:
        """Whatever ``think``, ``busy`` or ``approve_long_command`` began comes to its end."""
        self.ask("go-on")

    def permission_dialog(self, tool: str = "Bash", tool_input: "Document | None" = None) -> None:
        self._open(UseTool(tool=tool, tool_input=tool_input or {"command": "touch x"}, asks=True))

    def question(self, question: str = "Which colour?", *options: str) -> None:
        self._open(AskOperator(question=question, options=options or ("Red", "Blue")))

    def elicitation(self, server: str = "elic", message: str = "Your name?") -> None:
        self._open(Elicit(server=server, message=message))

    def subagent_dialog(self, tool: str = "Bash", tool_input: "Document | None" = None) -> None:
        """A subagent's permission dialog; returns when the main turn's Stop is over (H 11)."""
        step = Delegate(tool=tool, tool_input=tool_input or {"command": "touch x"})
        self._open(step)
        self.wait_until(lambda view: not view.is_in_turn, "the main agent's Stop")

    def allow(self, reply: str = "") -> None:
        """The operator says yes (or gives ``reply``) to the oldest open dialog."""
        self.ask("allow", reply=reply)

    def approve_long_command(self, seconds: float = 60.0) -> None:
        """Yes, and the command then runs for ``seconds``, or until ``finish`` (H 11)."""
        self.ask("allow", seconds=seconds)
        self.wait_until(lambda view: view.is_paused and view.status == "busy", "the command")

    def deny(self) -> None:
        """Esc or "No" on the oldest open dialog: no hook tells of it (H 9)."""
        self.ask("deny")

    def escape(self) -> None:
        """Esc: a no to a dialog, else it interrupts the model call or the tool."""
        self.ask("escape")

    def answer(self, text: str, to: str = "") -> None:
        """A turn in which the model answers the last frame (or ``to``) by its own SendMessage."""
        self.prompt("answer it", SendText(text=text, to=to))
        self.wait_idle()

    def command(self, command: str, timeout: float = TIMEOUT_SECONDS) -> Ran:
        """A turn in which the model really runs ``command``, as a child of the harness."""
        before = len(self.traces.commands())
        self.prompt("run the command", UseTool(tool_input={"command": command}, runs=True))
        self.wait_until(
            lambda _view: len(self.traces.commands()) > before, f"the end of {command}", timeout
        )
        self.wait_idle(timeout)
        return self.traces.commands()[before]

    def api_error(self, error: str = "server_error") -> None:
        """A turn that ends with StopFailure."""
        self.prompt("try", FailCall(error=error))
        self.wait_idle()

    def delay_hook(self, event: str, seconds: float) -> None:
        """From now on this event's hooks start on time and speak ``seconds`` late (0: as usual)."""
        self.ask("delay-hook", event=event, seconds=seconds)

    def clear(self) -> None:
        """``/clear``: a new session id, the same process and socket."""
        self.ask("clear")

    def resume_another(self) -> None:
        """``/resume``: another conversation in the same process (S 6.4)."""
        self.ask("resume")

    def change_mode(self, mode: PermissionMode) -> None:
        """The operator chooses another permission mode, as with shift and tab."""
        self.ask("mode", mode=mode.value)

    def _begin(self, step: Step) -> None:
        self.prompt("go", step)
        self.wait_until(lambda view: view.is_paused, "the turn")

    def _open(self, step: Step) -> None:
        self.prompt("go", step)
        self.wait_until(lambda view: view.dialogs and view.status == "waiting", "the dialog")


def _documents(steps: tuple[Step, ...]) -> list[Value]:
    return [to_document(step) for step in steps]
