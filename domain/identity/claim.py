"""Which process the environment claims as the session (S 2.1): a claim, proved only by ancestry."""

from collections.abc import Mapping

from tidings.ports.errors import UsageError
from tidings.ports.values import dataclass

PID_VARIABLES = ("TIDINGS_SESSION_PID", "CLAUDE_PID")
SELF = "self"
"""The source of a process that no variable named: the one that asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PidClaim:
    """A process id, and the variable that named it or ``self``."""

    pid: int
    source: str


def claimed_pid(environment: Mapping[str, str], *, self_pid: int) -> PidClaim:
    """The first set variable, else this process; an empty variable is unset.

    Raises ``UsageError`` naming the variable and its value: a wrong first one never falls through.
    """
    for variable in PID_VARIABLES:
        value = environment.get(variable, "")
        if value:
            return PidClaim(pid=_positive(variable, value), source=variable)
    return PidClaim(pid=self_pid, source=SELF)


def _positive(variable: str, value: str) -> int:
    number = int(value) if _is_decimal(value) and len(value) <= 20 else 0
    if number <= 0:
        raise UsageError(
            f"{variable}={value!r} is not a process id",
            next_step=f"unset {variable}, or set it to a whole number above 0",
        )
    return number


def _is_decimal(value: str) -> bool:
    """ASCII digits with at most one sign; int() would take spaces, "1_0" and other digits, too."""
    digits = value[1:] if value[:1] in ("+", "-") else value
    return digits.isascii() and digits.isdigit()
