"""A clock that stands until it is told to go on, and bytes that are the same at every run."""

from hashlib import sha256

from tidings.ports.clock import Instant

SECOND_NS = 1_000_000_000
_NOON_NS = 1_800_000_000 * SECOND_NS


class ManualClock:
    """All clocks of one machine, moved by hand."""

    def __init__(self, *, wall_ns: int = _NOON_NS, boot_id: str = "boot-1") -> None:
        self._wall_ns = wall_ns
        self._monotonic_ns = 1_000 * SECOND_NS
        self._boottime_ns = 1_000 * SECOND_NS
        self._boot_id = boot_id

    def now(self) -> Instant:
        """The reading: the same until something moves it."""
        return Instant(
            wall_ns=self._wall_ns,
            monotonic_ns=self._monotonic_ns,
            boottime_ns=self._boottime_ns,
            boot_id=self._boot_id,
        )

    def advance(self, seconds: float) -> None:
        """Lets time pass on all clocks. Raises ``ValueError`` for a negative span."""
        self.advance_ns(round(seconds * SECOND_NS))

    def advance_ns(self, nanoseconds: int) -> None:
        """As ``advance``, to the nanosecond."""
        self.suspend_ns(nanoseconds)
        self._monotonic_ns += nanoseconds

    def suspend_ns(self, nanoseconds: int) -> None:
        """The machine sleeps: the monotonic clock stands still, the others run on."""
        if nanoseconds < 0:
            raise ValueError("time does not run backwards; see jump_wall_ns")
        self._wall_ns += nanoseconds
        self._boottime_ns += nanoseconds

    def jump_wall_ns(self, nanoseconds: int) -> None:
        """Somebody sets the wall clock, forwards or back; nothing else moves."""
        self._wall_ns += nanoseconds

    def reboot(self, boot_id: str) -> None:
        """A new boot: the elapsed clocks begin anew."""
        self._boot_id = boot_id
        self._monotonic_ns = self._boottime_ns = SECOND_NS


class SeededIds:
    """Bytes that follow from a seed: unlike within one run, alike between runs."""

    def __init__(self, seed: str = "tidings") -> None:
        self._seed = seed
        self._drawn = 0

    def random_bytes(self, count: int) -> bytes:
        """The next ``count`` bytes, 1 to 64. Raises ``ValueError`` for any other count."""
        if not 1 <= count <= 64:
            raise ValueError(f"1 to 64 bytes, not {count}")
        self._drawn += 1
        halves = [sha256(f"{self._seed}/{self._drawn}/{half}".encode()).digest() for half in "ab"]
        return b"".join(halves)[:count]
