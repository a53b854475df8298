"""Eight processes that write to one store at once: none loses, none starves (D30)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median

from bare_store import BareStore
from benchmark import (
    Benchmark,
    CannotMeasure,
    Figure,
    Reading,
    Run,
    Unit,
    at_least,
    at_most,
    milliseconds,
)
from disks import disk_folder
from homes import Home, temporary_home
from writers_together import WRITERS, Written, write_together


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """One round of all writers: what they stored a second, and the longest single wait."""

    per_second: float
    longest_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """All rounds of the library and of bare SQLite, in turns."""

    library: tuple[Writing, ...]
    bare: tuple[Writing, ...]


@cache
def rounds(run: Run) -> Rounds:
    """Runs both in turns. Raises ``CannotMeasure`` where a stored message is not there afterwards."""
    library: list[Writing] = []
    bare: list[Writing] = []
    for number in range(run.scale.writing_rounds):
        run.say(f"{WRITERS} processes write together, round {number + 1}")
        library.append(_library_round(run))
        bare.append(_bare_round(run))
    return Rounds(library=tuple(library), bare=tuple(bare))


def _library_round(run: Run) -> Writing:
    with temporary_home(within=disk_folder()) as home, home.library() as library:
        library.join("target").arm()
        found = write_together(
            "library", str(home.state), home.environment, seconds=run.scale.writing_seconds
        )
        _require_all(found, _stored_refs(home))
        return _summed(found, run)


def _bare_round(run: Run) -> Writing:
    with (
        temporary_home(within=disk_folder()) as home,
        BareStore.create(home.folder / "bare.db") as store,
    ):
        path = str(home.folder / "bare.db")
        found = write_together("bare", path, home.environment, seconds=run.scale.writing_seconds)
        _require_all(found, store.refs())
        return _summed(found, run)


def _stored_refs(home: Home) -> set[str]:
    rows = home.app.ports.store.view(
        lambda tx: tx.recent(after_seq=0, limit=10_000_000), wait_seconds=2.0
    )
    return {row.ref for row in rows}


def _require_all(found: Sequence[Written], stored: set[str]) -> None:
    said = {ref for one in found for ref in one.refs}
    if said - stored:
        raise CannotMeasure(f"{len(said - stored)} of {len(said)} stored messages are not there")


def _summed(found: Sequence[Written], run: Run) -> Writing:
    count = sum(len(one.refs) for one in found)
    longest_seconds = max(one.longest_seconds for one in found)
    return Writing(per_second=count / run.scale.writing_seconds, longest_seconds=longest_seconds)


def throughput(run: Run) -> Reading:
    """Messages a second of all writers, beside rows a second of bare SQLite."""
    found = rounds(run)
    library = median(one.per_second for one in found.library)
    bare = median(one.per_second for one in found.bare)
    return Reading(
        value=library / bare,
        figures=(
            Figure(name="library", value=library, unit=Unit.PER_SECOND),
            Figure(name="bare", value=bare, unit=Unit.PER_SECOND),
            Figure(name="lost", value=0, unit=Unit.COUNT),
        ),
    )


def longest_wait(run: Run) -> Reading:
    """The longest that any writer waited for one message, over all rounds."""
    found = rounds(run)
    bare = max(one.longest_seconds for one in found.bare)
    return Reading(
        value=max(one.longest_seconds for one in found.library),
        figures=(milliseconds("bare, SQLite's own waiting", bare),),
    )


OWNER = "issue 4 (messages) owns it"
BENCHMARKS = (
    Benchmark(
        name="writers",
        claim="eight writers lose nothing and keep three tenths of bare SQLite's rate",
        unit=Unit.TIMES,
        bound=at_least(0.3, "issue 4"),
        because=OWNER,
        measure=throughput,
    ),
    Benchmark(
        name="writers-wait",
        claim="none of eight writers waits a second for one message",
        unit=Unit.SECONDS,
        bound=at_most(1, "issue 4"),
        because=OWNER,
        measure=longest_wait,
    ),
)
