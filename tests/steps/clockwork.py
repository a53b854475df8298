"""Time in the world in memory: who is woken by a bell or by the clock does its work, in order."""

from collections.abc import Mapping

from steps.pretended_harness import PretendedHarness
from steps.pretended_resident import PretendedResident
from tidings.adapters.memory.clock import SECOND_NS, ManualClock

MOST_WAKE_UPS = 1_000
"""Wake-ups without a pause between them, before the world is taken to run in circles."""


class Clockwork:
    """Moves the clock from one due wake-up to the next; nothing happens while it stands."""

    def __init__(
        self,
        clock: ManualClock,
        harnesses: Mapping[str, PretendedHarness],
        *residents: Mapping[str, PretendedResident],
    ) -> None:
        self._clock = clock
        self._harnesses = harnesses
        self._residents = residents

    def live(self, seconds: float) -> None:
        """Lets time pass, with everything that comes due in it."""
        end_ns = self._now_ns() + round(seconds * SECOND_NS)
        self._settle()
        while (due_ns := self._next_due_ns(end_ns)) is not None:
            self._go_to(due_ns)
            self._settle()
        self._go_to(end_ns)

    def _settle(self) -> None:
        """Everybody who is woken now works, until nobody is."""
        for _ in range(MOST_WAKE_UPS):
            woken = [one for one in self._everybody() if one.is_due()]
            for resident in woken:
                resident.work()
            took = [harness.take_up() for harness in self._harnesses.values()]
            if not woken and not any(took):
                return
        raise AssertionError("the world runs in circles")

    def _next_due_ns(self, end_ns: int) -> int | None:
        dues = [one.due_ns for one in self._everybody() if one.runs]
        return min((due_ns for due_ns in dues if due_ns <= end_ns), default=None)

    def _everybody(self) -> list[PretendedResident]:
        return [one for group in self._residents for one in group.values()]

    def _go_to(self, at_ns: int) -> None:
        self._clock.advance_ns(max(0, at_ns - self._now_ns()))

    def _now_ns(self) -> int:
        return self._clock.now().boottime_ns
