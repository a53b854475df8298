"""How a command that the model ran ended: a value of its own, so that a driver loads no loop."""

from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How a command of the model ended; ``exit_code`` is negative for a signal."""

    exit_code: int
    output: str
    errors: str
