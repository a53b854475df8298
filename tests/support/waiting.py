"""Waiting for a condition with a deadline: what a test does instead of sleeping."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

POLL_SECONDS = 0.01


class StillWaiting(AssertionError):
    """The condition did not come true in time; the text names it."""


def until(condition: Callable[[], T], timeout: float = 15.0, what: str = "") -> T:
    """The first true value of ``condition``, asked every 10 ms for at most ``timeout`` seconds.

    It is asked at least once. Raises ``StillWaiting`` with ``what`` (the condition in words).
    """
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            raise StillWaiting(f"after {timeout:g} s still not: {what or condition!r}")
        time.sleep(POLL_SECONDS)
