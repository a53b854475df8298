"""What every ``Clock`` keeps."""

from tidings.ports.clock import Clock


class ClockContract:
    """Bind it by overriding ``make_clock``."""

    def make_clock(self) -> Clock:
        """A clock of the adapter under test."""
        raise NotImplementedError

    def test_readings_never_go_back(self) -> None:
        clock = self.make_clock()
        first, second = clock.now(), clock.now()
        assert second.monotonic_ns >= first.monotonic_ns
        assert second.boottime_ns >= first.boottime_ns

    def test_all_readings_are_whole_positive_nanoseconds(self) -> None:
        now = self.make_clock().now()
        readings = (now.wall_ns, now.monotonic_ns, now.boottime_ns)
        assert all(type(reading) is int and reading > 0 for reading in readings)

    def test_time_in_suspend_counts_for_deadlines_only(self) -> None:
        now = self.make_clock().now()
        assert now.boottime_ns >= now.monotonic_ns

    def test_the_boot_stays_the_same(self) -> None:
        clock = self.make_clock()
        assert clock.now().boot_id == clock.now().boot_id
