"""Whether a session is free to hear, as one value."""

from typing import TypeAlias

from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Free:
    """No dialog is open. ``idle`` None means that it is not known whether a turn is running."""

    idle: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AwaitsOperator:
    """A dialog is open, or may be (doubt holds). ``why`` is one short phrase for ``show``."""

    why: str


Freedom: TypeAlias = Free | AwaitsOperator
