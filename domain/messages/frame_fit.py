"""Fitting a frame into what a transport takes at once (D20, F 6 rule 7)."""

from enum import Enum
from typing import Protocol

from tidings.domain.messages.frame import Frame
from tidings.domain.messages.frame_text import frame_content


class Fit(Enum):
    """What a transport takes of a message at once."""

    WHOLE = "whole"
    HEAD = "head"
    NOTHING = "nothing"


class FrameSizer(Protocol):
    """What a transport says of sizes (M 3.3); every ``Transport`` is one."""

    def size(self, content: str) -> int:
        """Bytes that ``content`` would put on the wire."""
        ...

    def limit(self) -> int:
        """The most bytes that may go on the wire at once."""
        ...


def fit_frame(frame: Frame, sizer: FrameSizer, *, budget_bytes: int | None = None) -> Frame | None:
    """The frame whole if it fits, else its longest head that fits; None if not even one character.

    ``budget_bytes`` narrows the transport's own limit.
    """
    limit = min(sizer.limit(), budget_bytes or sizer.limit())
    if sizer.size(frame_content(frame)) <= limit:
        return frame
    low, high = 0, min(len(frame.shown) - 1, limit)
    while low < high:
        middle = (low + high + 1) // 2
        fits = sizer.size(frame_content(frame.cut_to(middle))) <= limit
        low, high = (middle, high) if fits else (low, middle - 1)
    head = frame.cut_to(low)
    return head if low and sizer.size(frame_content(head)) <= limit else None
