"""Which lines of the messaging socket count: the client's silent rules as pure functions (H 3)."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from tidings.entrypoints.simulated.plain import as_object, as_text, read_value

LINE_MAX_BYTES: Final = 1 << 20
BURST_FRAMES: Final = 30
BURST_SECONDS: Final = 1.0
"""Measured: of 60 frames at once 30 arrived. How long "at once" lasts was not; one second is ours."""


def read_post(line: bytes, *, session_id: str) -> str | None:
    """The text of a user frame for this conversation; None for whatever the client ignores."""
    frame = as_object(read_value(line))
    if frame.get("type") != "user" or frame.get("session_id", session_id) != session_id:
        return None
    return as_text(as_object(frame.get("message")).get("content")) or None


def inbound_word(settings: Sequence[str]) -> str:
    """``crossSessionInbound`` of the first of these files that says it; empty where none does."""
    words = (
        as_text(as_object(read_value(_text(path))).get("crossSessionInbound")) for path in settings
    )
    return next(filter(None, words), "")


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


class BurstGate:
    """Lets 30 frames of a burst through; the rest is dropped and nobody is told."""

    def __init__(self) -> None:
        self._admitted: deque[float] = deque()

    def admits(self, at_seconds: float) -> bool:
        """Whether one more frame gets in at this monotonic instant."""
        while self._admitted and self._admitted[0] <= at_seconds - BURST_SECONDS:
            self._admitted.popleft()
        if len(self._admitted) >= BURST_FRAMES:
            return False
        self._admitted.append(at_seconds)
        return True
