"""When two looks at the published status outweigh what events say (D24)."""

from typing import TypeAlias

from tidings.ports.harness_status import StatusSeen
from tidings.ports.values import dataclass

TICK_NS = 10_000_000
"""A hook's start is rounded down to the kernel's 10 ms tick, so a dialog may be that much younger."""

APART_NS = 500_000_000
"""The least time between the beginnings of the two looks, on the boot clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """No dialog that opened before ``before_ns`` (boot clock) is still shown."""

    before_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskAgain:
    """Not proved yet; ``first`` is the look to remember, None where this one came too early."""

    first: StatusSeen | None


Weighed: TypeAlias = Confirmed | AskAgain


def weigh_looks(first: StatusSeen | None, second: StatusSeen, *, newest_opening_ns: int) -> Weighed:
    """Both looks say that nothing waits: are they apart enough, and both after the newest opening?

    The status lags a dialog by a moment, hence two of them.
    """
    if first is None or not _is_after(first, newest_opening_ns):
        return AskAgain(first=second if _is_after(second, newest_opening_ns) else None)
    if second.begun - first.begun < APART_NS:
        return AskAgain(first=first)
    return Confirmed(before_ns=first.begun - TICK_NS + 1)


def _is_after(look: StatusSeen, opening_ns: int) -> bool:
    return look.begun >= opening_ns + TICK_NS
