"""The clock and id suites, bound to the memory twin and the system."""

from tidings.adapters.clocks.system import SystemClock, SystemIds
from tidings.adapters.memory.clock import ManualClock, SeededIds
from tidings.entrypoints.testing.clock_contract import ClockContract
from tidings.entrypoints.testing.ids_contract import IdsContract


class TestManualClock(ClockContract):
    def make_clock(self) -> ManualClock:
        return ManualClock()

    def test_it_stands_until_it_is_moved(self) -> None:
        clock = ManualClock()
        before = clock.now()
        assert clock.now() == before
        clock.advance(1.5)
        assert clock.now().monotonic_ns - before.monotonic_ns == 1_500_000_000
        assert clock.now().wall_ns - before.wall_ns == 1_500_000_000

    def test_in_suspend_the_monotonic_clock_stands(self) -> None:
        clock = ManualClock()
        before = clock.now()
        clock.suspend_ns(7)
        assert clock.now().monotonic_ns == before.monotonic_ns
        assert clock.now().boottime_ns == before.boottime_ns + 7


class TestSystemClock(ClockContract):
    def make_clock(self) -> SystemClock:
        return SystemClock(boot_id="this boot")


class TestSeededIds(IdsContract):
    def make_ids(self) -> SeededIds:
        return SeededIds()

    def test_a_seed_gives_the_same_bytes_again(self) -> None:
        assert SeededIds("a").random_bytes(8) == SeededIds("a").random_bytes(8)
        assert SeededIds("a").random_bytes(8) != SeededIds("b").random_bytes(8)


class TestSystemIds(IdsContract):
    def make_ids(self) -> SystemIds:
        return SystemIds()
