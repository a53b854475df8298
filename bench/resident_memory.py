"""What a resident holds, and when it is at rest, by the kernel's own count."""

import time

import psutil

from benchmark import CannotMeasure
from tidings.entrypoints.resident.image import Phase

PATIENCE_SECONDS = 10.0
LOOK_SECONDS = 0.05
QUIET_LOOKS = 10
QUICK_LOOK_SECONDS = 0.003
QUICK_LOOKS = 3


def resident_bytes(pid: int, phase: Phase) -> int:
    """What the resident ``pid`` holds once it is the image ``phase`` and has stopped growing.

    An image that has just begun is still importing, and the one before it held something else.
    Raises ``CannotMeasure`` where it does not come to rest.
    """
    process = psutil.Process(pid)
    ends_at = time.monotonic() + PATIENCE_SECONDS
    quiet_looks, held = 0, 0
    while quiet_looks < QUIET_LOOKS:
        if time.monotonic() > ends_at:
            raise CannotMeasure(f"resident {pid} is not at rest as {phase}: {process.cmdline()}")
        time.sleep(LOOK_SECONDS)
        now = process.memory_info().rss if str(phase) in process.cmdline() else 0
        quiet_looks = quiet_looks + 1 if now and now == held else 0
        held = now
    return held


def at_rest_at(pid: int, phase: Phase) -> float:
    """The wall clock's second at which ``pid`` was first seen asleep as ``phase``, to a few ms.

    One that sleeps at three looks in a row has done its work. Raises ``CannotMeasure``.
    """
    process = psutil.Process(pid)
    ends_at = time.monotonic() + PATIENCE_SECONDS
    looks, began = 0, 0.0
    while looks < QUICK_LOOKS:
        if time.monotonic() > ends_at:
            raise CannotMeasure(f"resident {pid} is not at rest as {phase}: {process.cmdline()}")
        asleep = process.status() == psutil.STATUS_SLEEPING and str(phase) in process.cmdline()
        began = began if asleep and looks else time.time()
        looks = looks + 1 if asleep else 0
        time.sleep(QUICK_LOOK_SECONDS)
    return began
