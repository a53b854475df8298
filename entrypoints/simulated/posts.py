"""Which lines of the messaging socket count: the client's silent rules as pure functions (H 3)."""

from collections.abc import Sequence
from typing import Final

from tidings.entrypoints.simulated.plain import as_object, as_text, read_value

LINE_MAX_BYTES: Final = 1 << 20
BURST_FRAMES: Final = 30
REFILL_SECONDS: Final = 2.0
"""Measured: of one sender's frames 30 are taken at once, and one more every 2 s (conformance)."""


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
    """Lets what fits through; the rest is dropped and nobody is told. One for each sender."""

    def __init__(self) -> None:
        self._left: dict[int, tuple[float, float]] = {}

    def admits(self, sender: int, at_seconds: float) -> bool:
        """Whether one more frame of that process gets in at this monotonic instant."""
        left, since = self._left.get(sender, (float(BURST_FRAMES), at_seconds))
        left = min(float(BURST_FRAMES), left + (at_seconds - since) / REFILL_SECONDS)
        is_in = left >= 1
        self._left[sender] = (left - is_in, at_seconds)
        return is_in
