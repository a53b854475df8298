"""What a benchmark is: a claim with its bound, and what one run of it found."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum


class CannotMeasure(Exception):
    """The benchmark's scene did not come up; the text says what was seen. No number is made up."""


class Unit(StrEnum):
    """What a number counts. ``TIMES`` is a ratio to the base of the same run."""

    TIMES = "x"
    MILLISECONDS = "ms"
    SECONDS = "s"
    MEGABYTES = "MB"
    PER_SECOND = "/s"
    PERCENT = "%"
    COUNT = ""


class Sense(StrEnum):
    """On which side of its limit a value is good."""

    AT_MOST = "<="
    AT_LEAST = ">="


class Verdict(StrEnum):
    """How a value stands to its bound; ``REPORT`` where there is none."""

    OK = "ok"
    OVER = "over"
    UNDER = "under"
    REPORT = "report"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A promise in numbers. ``source`` names the page or the issue that gives it."""

    sense: Sense
    limit: float
    source: str

    def judge(self, value: float) -> Verdict:
        """Whether ``value`` keeps the promise; the limit itself does."""
        if self.sense is Sense.AT_MOST:
            return Verdict.OK if value <= self.limit else Verdict.OVER
        return Verdict.OK if value >= self.limit else Verdict.UNDER


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One absolute number beside the value, such as the base's time."""

    name: str
    value: float
    unit: Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one run found: the value that is judged, and the absolute figures it came from."""

    value: float
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How much is done. The quick scale shows that everything runs; its numbers are rougher."""

    rounds: int
    records: tuple[int, int]
    stored: tuple[int, int, int]
    accepts_per_round: int
    accept_rounds: int
    writing_seconds: float
    writing_rounds: int
    exchanges: int
    wakes: int
    idle_seconds: float


WHOLE = Scale(
    rounds=31,
    records=(1_000, 10_000),
    stored=(0, 10_000, 100_000),
    accepts_per_round=300,
    accept_rounds=7,
    writing_seconds=3.0,
    writing_rounds=3,
    exchanges=15,
    wakes=7,
    idle_seconds=20.0,
)
QUICK = Scale(
    rounds=9,
    records=(200, 2_000),
    stored=(0, 1_000, 10_000),
    accepts_per_round=100,
    accept_rounds=3,
    writing_seconds=1.0,
    writing_rounds=1,
    exchanges=3,
    wakes=2,
    idle_seconds=3.0,
)


def in_silence(_text: str) -> None:
    """Progress that nobody hears."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of the suite: its scale, and where progress is told. Equal by scale alone."""

    scale: Scale
    say: Callable[[str], None] = field(default=in_silence, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """One line of the suite.

    ``enforced`` makes a broken bound fail the run; where it is false, ``because`` says why.
    ``measure`` raises ``CannotMeasure``.
    """

    name: str
    claim: str
    unit: Unit
    measure: Callable[[Run], Reading]
    bound: Bound | None = None
    enforced: bool = False
    because: str = ""

    def judge(self, reading: Reading) -> Verdict:
        """How ``reading`` stands to the bound."""
        return Verdict.REPORT if self.bound is None else self.bound.judge(reading.value)

    def fails(self, reading: Reading) -> bool:
        """Whether the whole run fails by ``reading``."""
        return self.enforced and self.judge(reading) in (Verdict.OVER, Verdict.UNDER)


def at_most(limit: float, source: str) -> Bound:
    """The bound of what must stay small."""
    return Bound(sense=Sense.AT_MOST, limit=limit, source=source)


def at_least(limit: float, source: str) -> Bound:
    """The bound of what must stay large."""
    return Bound(sense=Sense.AT_LEAST, limit=limit, source=source)


def milliseconds(name: str, seconds: float) -> Figure:
    """A time as a figure."""
    return Figure(name=name, value=seconds * 1_000, unit=Unit.MILLISECONDS)
