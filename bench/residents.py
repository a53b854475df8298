"""Two simulated clients with their residents: how long a message takes, and what a resident holds."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from statistics import median

import psutil

from benchmark import (
    Benchmark,
    CannotMeasure,
    Figure,
    Reading,
    Run,
    Unit,
    at_most,
    milliseconds,
)
from resident_memory import resident_bytes
from tidings.domain.registration.shape import Shape
from tidings.entrypoints.demo.stage import Stage, StepFailed, until
from tidings.entrypoints.resident.image import Phase
from tidings.entrypoints.simulated.client import HarnessGone, HarnessRefused, StillWaiting

TROUBLE = (StepFailed, HarnessGone, HarnessRefused, StillWaiting, psutil.Error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The medians of many messages, and the same resident's memory before and after it woke."""

    written_seconds: float
    seen_seconds: float
    dormant_megabytes: float
    awake_megabytes: float


@contextmanager
def two_clients() -> Generator[Stage, None, None]:
    """``front`` and ``api``, both ready. Raises ``CannotMeasure`` where they do not come up."""
    stage = Stage()
    try:
        stage.open()
        until(lambda: _ready(stage) == {"api", "front"}, "two sessions with a resident")
        yield stage
    except TROUBLE as trouble:
        raise CannotMeasure(str(trouble)) from trouble
    finally:
        stage.close()


def _ready(stage: Stage) -> set[str]:
    living = stage.app.admission.living()
    return {one.activation.address for one in living if one.shape is Shape.READY}


@cache
def exchange(run: Run) -> Exchange:
    """Messages from one idle client to the other, each seen before the next is sent."""
    run.say("two simulated clients start")
    with two_clients() as stage:
        resident = stage.api.view().monitor_pid
        dormant = resident_bytes(resident, Phase.DORMANT)
        _require(stage.tidings(stage.api, "arm --json")[0], "arm")
        run.say(f"{run.scale.exchanges} messages, one after another")
        times = [_one_message(stage, number) for number in range(run.scale.exchanges)]
        if stage.api.view().monitor_pid != resident:
            raise CannotMeasure("the resident is another process by now")
        return Exchange(
            written_seconds=median(written for written, _ in times),
            seen_seconds=median(seen for _, seen in times),
            dormant_megabytes=dormant / 1e6,
            awake_megabytes=resident_bytes(resident, Phase.AWAKE) / 1e6,
        )


def _one_message(stage: Stage, number: int) -> tuple[float, float]:
    """Seconds from the acceptance to the bytes, and to the sight of them, by the store's record."""
    stage.api.wait_idle()
    words = f"send api --wait seen --timeout 8s --json -- number {number}"
    code, said = stage.tidings(stage.front, words)
    _require(code, "send")
    row = stage.app.post_office.view(str(said["ref"])).row
    if row.handoff_at_ns is None or row.seen_at_ns is None:
        raise CannotMeasure(f"the message is {row.state} and was not seen")
    written_ns, seen_ns = (
        row.handoff_at_ns - row.accepted_at_ns,
        row.seen_at_ns - row.accepted_at_ns,
    )
    return written_ns / 1e9, seen_ns / 1e9


def _require(code: int, verb: str) -> None:
    if code:
        raise CannotMeasure(f"{verb} ended with {code}")


def seen(run: Run) -> Reading:
    """From the acceptance to the client's own word that its model has it."""
    found = exchange(run)
    return Reading(
        value=found.seen_seconds * 1_000,
        figures=(
            milliseconds("handed off", found.written_seconds),
            Figure(name="messages", value=run.scale.exchanges, unit=Unit.COUNT),
        ),
    )


def dormant(run: Run) -> Reading:
    """A resident with nothing to do."""
    return Reading(value=exchange(run).dormant_megabytes)


def awake(run: Run) -> Reading:
    """The same process once it has delivered."""
    return Reading(value=exchange(run).awake_megabytes)


OWNER = "issue 5 (real client sessions) owns it"
BENCHMARKS = (
    Benchmark(
        name="seen",
        claim="from acceptance to the model's sight, for the record",
        unit=Unit.MILLISECONDS,
        measure=seen,
    ),
    Benchmark(
        name="resident-dormant",
        claim="a dormant resident is small",
        unit=Unit.MEGABYTES,
        bound=at_most(16, "issue 5"),
        because=OWNER,
        measure=dormant,
    ),
    Benchmark(
        name="resident-awake",
        claim="an awake resident stays small",
        unit=Unit.MEGABYTES,
        bound=at_most(25, "issue 5"),
        because=OWNER,
        measure=awake,
    ),
)
