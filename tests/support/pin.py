"""One claim that a test pins a case."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Pin:
    """One claim that ``node`` pins ``case``; ``objection`` says why it does not count, or is empty."""

    case: str
    node: str
    objection: str = ""
