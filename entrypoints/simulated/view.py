"""One look at a simulated harness, as a driver sees it."""

import json
from typing import cast

from tidings.ports.codec import Document, Value
from tidings.ports.values import dataclass


class HarnessRefused(RuntimeError):
    """The harness answered that it cannot do this now; the text is its reason."""


class HarnessGone(RuntimeError):
    """The harness's process ended, so there is no answer."""


class StillWaiting(AssertionError):
    """A harness did not come to what was waited for in time; the text says what, and its view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessView:
    """All at one moment. ``status`` is what the harness publishes; counts run from its start.

    ``is_paused`` means that a model call or a tool waits to be told to go on; ``dialogs`` names
    the tools whose dialogs are open; ``background`` counts subagents at work; ``held`` is what the bypass mode keeps from the model;
    ``monitor_pid`` is 0 where no monitor lives.
    """

    pid: int
    name: str
    session_id: str
    socket_path: str
    transcript_path: str
    status: str
    waiting_for: str
    is_in_turn: bool
    is_paused: bool
    dialogs: tuple[str, ...]
    queued: int
    background: int
    held: tuple[str, ...]
    frames: int
    ignored: int
    dropped: int
    turns: int
    requests: int
    monitor_pid: int


def read_view(line: bytes) -> HarnessView:
    """Raises ``HarnessGone`` for an empty line and ``HarnessRefused`` for an answer that says no."""
    if not line:
        raise HarnessGone("the simulated harness ended")
    answer = cast("Document", json.loads(line))
    if "error" in answer:
        raise HarnessRefused(str(answer["error"]))
    fields = {name: _frozen(value) for name, value in answer.items()}
    return HarnessView(**fields)  # type: ignore[arg-type]  # both ends are this one package


def _frozen(value: Value) -> object:
    return tuple(value) if isinstance(value, list) else value
