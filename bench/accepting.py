"""Durable acceptance through the library, beside a bare INSERT with the same durability (D30)."""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from statistics import median

from bare_store import BareStore
from benchmark import Benchmark, Reading, Run, Unit, at_least, at_most, milliseconds
from disks import disk_folder, page_syncs
from homes import temporary_home
from stored_messages import accept, answered_message, fill

CALLS_PER_TURN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepts:
    """Median seconds of one durable write: a synced page, a bare INSERT, and through the library by
    stored messages."""

    sync_seconds: float
    bare_seconds: float
    library_seconds: tuple[float, ...]


@cache
def accepts(run: Run) -> Accepts:
    """All stores in turns. A round's mean counts, and a round is long enough to meet a checkpoint."""
    with ExitStack() as scene:
        works = [scene.enter_context(synced_pages()), scene.enter_context(bare_inserts())]
        works += [scene.enter_context(library_accepts(run, stored)) for stored in run.scale.stored]
        run.say(f"accepting at {_sizes(run)} stored messages, in turns with a bare INSERT")
        sync, bare, *library = _means_in_turns(run, works)
    return Accepts(sync_seconds=sync, bare_seconds=bare, library_seconds=tuple(library))


def _means_in_turns(run: Run, works: Sequence[Callable[[], object]]) -> list[float]:
    rounds = [_round(works, run.scale.accepts_per_round) for _ in range(run.scale.accept_rounds)]
    return [median(means) for means in zip(*rounds, strict=True)]


def _round(works: Sequence[Callable[[], object]], count: int) -> list[float]:
    """The mean seconds of ``count`` calls of each, in short turns."""
    took_seconds = [0.0 for _ in works]
    for _ in range(count // CALLS_PER_TURN):
        for index, work in enumerate(works):
            begun_at = time.perf_counter()
            for _ in range(CALLS_PER_TURN):
                work()
            took_seconds[index] += time.perf_counter() - begun_at
    return [seconds / count for seconds in took_seconds]


@contextmanager
def synced_pages() -> Generator[Callable[[], object], None, None]:
    """One page a call, synced."""
    with temporary_home(within=disk_folder()) as home, page_syncs(home.folder) as write:
        yield write


@contextmanager
def bare_inserts() -> Generator[Callable[[], object], None, None]:
    """One committed row a call, as long as an envelope."""
    with (
        temporary_home(within=disk_folder()) as home,
        BareStore.create(home.folder / "bare.db") as store,
    ):
        yield store.insert


@contextmanager
def library_accepts(run: Run, stored: int) -> Generator[Callable[[], object], None, None]:
    """One message a call to a listening agent, in a store that holds ``stored`` messages."""
    with temporary_home(within=disk_folder()) as home, home.library() as library:
        me, target = library.join("sender"), library.join("target")
        target.arm()
        if stored:
            run.say(f"storing {stored} messages")
            fill(home, answered_message(home, me, target), stored)
        yield lambda: accept(me)


def against_bare(run: Run) -> Reading:
    """The slowest of the sizes beside a bare INSERT, as rates."""
    found = accepts(run)
    slowest = max(found.library_seconds)
    sizes = zip(run.scale.stored, found.library_seconds, strict=True)
    return Reading(
        value=found.bare_seconds / slowest,
        figures=(
            *(milliseconds(f"at {stored}", seconds) for stored, seconds in sizes),
            milliseconds("bare INSERT", found.bare_seconds),
            milliseconds("a synced page", found.sync_seconds),
        ),
    )


def alike(run: Run) -> Reading:
    """The slowest size beside the fastest."""
    found = accepts(run)
    sizes = zip(run.scale.stored, found.library_seconds, strict=True)
    return Reading(
        value=max(found.library_seconds) / min(found.library_seconds),
        figures=tuple(milliseconds(f"at {stored}", seconds) for stored, seconds in sizes),
    )


def _sizes(run: Run) -> str:
    return ", ".join(str(stored) for stored in run.scale.stored)


OWNER = "issue 4 (messages) owns it"
BENCHMARKS = (
    Benchmark(
        name="accept",
        claim="a durable accept is at least half as fast as a bare INSERT, at every size",
        unit=Unit.TIMES,
        bound=at_least(0.5, "issue 4"),
        because=OWNER,
        measure=against_bare,
    ),
    Benchmark(
        name="accept-alike",
        claim="an accept takes as long in a full store as in an empty one, within a fifth",
        unit=Unit.TIMES,
        bound=at_most(1.2, "issue 4"),
        because=OWNER,
        measure=alike,
    ),
)
