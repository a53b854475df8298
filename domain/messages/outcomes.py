"""What one step of delivery came to: a closed union (P5, P12)."""

from typing import TypeAlias

from tidings.domain.messages.delivery import State
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """Nothing waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The head of the queue waits, and all behind it."""

    ref: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A message ended without being delivered. The next one can be tried at once."""

    ref: str
    state: State
    reason: str
    outcome_unknown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """The bytes left, all of them. The next message can be tried at once."""

    ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseLost:
    """The writer holds no lease of a living activation any more; it wrote and claimed nothing."""


StepOutcome: TypeAlias = Nothing | Held | Settled | Delivered | LeaseLost
"""``Settled`` and ``Delivered`` ask for another step at once."""
