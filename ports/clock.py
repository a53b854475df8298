"""Time, read once per decision (D32)."""

from typing import Protocol

from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Instant:
    """One reading of all clocks, in integer nanoseconds.

    ``wall_ns``: since 1970, UTC, may jump. ``monotonic_ns``: stands still in suspend, for
    freshness. ``boottime_ns``: runs on in suspend, for deadlines within one boot. ``boot_id``
    names the boot; the two elapsed clocks compare only when it is equal and not empty.
    """

    wall_ns: int
    monotonic_ns: int
    boottime_ns: int
    boot_id: str


class Clock(Protocol):
    """Where every ``now`` comes from."""

    def now(self) -> Instant:
        """One reading. Never fails: a clock the platform lacks falls back to the next best."""
        ...
