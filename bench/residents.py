"""Two simulated clients with their residents: how long a message takes, and what a resident holds."""

import os
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
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
from resident_memory import at_rest_at, resident_bytes
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Idling:
    """Percent of one core that a resident takes with nothing to do, and the median of its wakes."""

    dormant_percent: float
    awake_percent: float
    wake_seconds: float


@cache
def idling(run: Run) -> Idling:
    """One resident that nobody writes to: dormant, armed and disarmed some times, then awake."""
    run.say("two simulated clients start")
    with two_clients() as stage:
        resident = stage.api.view().monitor_pid
        resident_bytes(resident, Phase.DORMANT)
        run.say(f"{run.scale.idle_seconds:g} s of sleep")
        dormant_percent = _percent(resident, run.scale.idle_seconds)
        run.say(f"{run.scale.wakes} wakes")
        wakes = [_one_wake(stage, resident) for _ in range(run.scale.wakes)]
        _require(stage.tidings(stage.api, "arm --json")[0], "arm")
        resident_bytes(resident, Phase.AWAKE)
        run.say(f"{run.scale.idle_seconds:g} s of listening")
        return Idling(
            dormant_percent=dormant_percent,
            awake_percent=_percent(resident, run.scale.idle_seconds),
            wake_seconds=median(wakes),
        )


def _percent(pid: int, seconds: float) -> float:
    process = psutil.Process(pid)
    began, before = time.monotonic(), process.cpu_times()
    time.sleep(seconds)
    after, took = process.cpu_times(), time.monotonic() - began
    used = after.user + after.system - before.user - before.system
    return 100 * used / took


def _one_wake(stage: Stage, resident: int) -> float:
    """Seconds from the mark of an arm until the awake image has set up its desk and sleeps."""
    key = stage.app.admission.resolve("api").session_key
    mark = os.path.join(stage.environment["TIDINGS_HOME"], "consent", f"{key}.json")
    with ThreadPoolExecutor(max_workers=1) as watching:
        awake_at = watching.submit(at_rest_at, resident, Phase.AWAKE)
        _require(stage.tidings(stage.api, "arm --json")[0], "arm")
    until_at_rest = awake_at.result() - os.stat(mark).st_mtime
    _require(stage.tidings(stage.api, "disarm --json")[0], "disarm")
    resident_bytes(resident, Phase.DORMANT)
    return until_at_rest


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


def idle_dormant(run: Run) -> Reading:
    """What sleeping costs."""
    return Reading(value=idling(run).dormant_percent)


def idle_awake(run: Run) -> Reading:
    """What listening costs."""
    return Reading(value=idling(run).awake_percent)


def woken(run: Run) -> Reading:
    """From an arm to a resident that listens."""
    return Reading(value=idling(run).wake_seconds * 1_000)


def handed_off(run: Run) -> Reading:
    """From the acceptance to the bytes, at a resident that is awake."""
    return Reading(value=exchange(run).written_seconds * 1_000)


BUSY = "a machine that does other work as well delays every wake"
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
        enforced=True,
        measure=dormant,
    ),
    Benchmark(
        name="resident-awake",
        claim="an awake resident stays small",
        unit=Unit.MEGABYTES,
        bound=at_most(25, "issue 5"),
        enforced=True,
        measure=awake,
    ),
    Benchmark(
        name="idle-dormant",
        claim="a dormant resident takes next to no time",
        unit=Unit.PERCENT,
        bound=at_most(0.3, "issue 5"),
        enforced=True,
        measure=idle_dormant,
    ),
    Benchmark(
        name="idle-awake",
        claim="an awake resident with nothing to do takes next to no time",
        unit=Unit.PERCENT,
        bound=at_most(0.3, "issue 5"),
        enforced=True,
        measure=idle_awake,
    ),
    Benchmark(
        name="wake",
        claim="a dormant resident listens soon after an arm",
        unit=Unit.MILLISECONDS,
        bound=at_most(200, "issue 5"),
        because=BUSY,
        measure=woken,
    ),
    Benchmark(
        name="hand-off",
        claim="an awake resident hands a message off at once",
        unit=Unit.MILLISECONDS,
        bound=at_most(50, "issue 5"),
        because=BUSY,
        measure=handed_off,
    ),
)
