"""The system's clocks and its source of randomness."""

import os
import sys
import time

from tidings.ports.clock import Instant

_COUNTS_SUSPEND: int | None = getattr(
    time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC if sys.platform == "darwin" else None
)
"""The clock that runs on in suspend: CLOCK_BOOTTIME on Linux; Darwin's CLOCK_MONOTONIC does, while
its ``time.monotonic`` does not (clock_gettime(3))."""


class SystemClock:
    """Reads all clocks at once. ``boot_id`` (empty: not known) is what the process adapter says."""

    def __init__(self, *, boot_id: str) -> None:
        self._boot_id = boot_id

    def now(self) -> Instant:
        """One reading."""
        monotonic_ns = time.monotonic_ns()
        return Instant(
            wall_ns=time.time_ns(),
            monotonic_ns=monotonic_ns,
            boottime_ns=_boottime_ns(monotonic_ns),
            boot_id=self._boot_id,
        )


class SystemIds:
    """The kernel's randomness (getrandom(2))."""

    def random_bytes(self, count: int) -> bytes:
        """``count`` bytes, 1 to 64. Raises ``ValueError`` for any other count."""
        if not 1 <= count <= 64:
            raise ValueError(f"1 to 64 bytes, not {count}")
        return os.urandom(count)


def _boottime_ns(monotonic_ns: int) -> int:
    return monotonic_ns if _COUNTS_SUSPEND is None else time.clock_gettime_ns(_COUNTS_SUSPEND)
