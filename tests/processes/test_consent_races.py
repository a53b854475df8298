"""Consent between real processes: an OFF is never lost, and disarm is a barrier (D7, D8)."""

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from processes.consent_worker import Bench
from support.waiting import until
from tidings.domain.consent.arming import ArmWord
from tidings.domain.consent.desk import Barrier
from tidings.domain.consent.mark import MarkState
from tidings.domain.consent.scope import EVERYTHING
from tidings.domain.identity.owner import SessionOwner
from tidings.ports.tokens import LockKind

WORKER = Path(__file__).with_name("consent_worker.py")


@contextlib.contextmanager
def worker(state: Path, role: str) -> Generator[subprocess.Popen[str], None, None]:
    """A process that plays ``role`` for this process's consent until the block ends."""
    with subprocess.Popen(
        [sys.executable, str(WORKER), str(state), role, str(os.getpid())],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.stdin.close()
        assert int(process.stdout.readline()) > 0
    assert process.returncode == 0


def owner_of(bench: Bench, socket_path: str | None = None) -> SessionOwner:
    return bench.probe.capture(os.getpid(), socket_path=socket_path)


def still_holds(bench: Bench, key: str, generation: int) -> bool:
    """An OFF, or an ON that a later arm wrote after reading it."""
    mark = bench.mark(key)
    return mark.state is MarkState.OFF or mark.generation > generation


@pytest.mark.case("SX1")
def test_a_disarm_that_races_reaping_is_never_lost(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path))
    path = os.path.join("/tmp", f"td-race-{os.getpid()}.sock")
    key = owner_of(bench).key
    with worker(tmp_path, "reap"), worker(tmp_path, "reap"):
        for _ in range(40):
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(path)
                owner = owner_of(bench, path)
                bench.desk.arm(owner, cwd="/", scope=EVERYTHING)
                os.unlink(path)
            generation = bench.desk.disarm(owner, cwd="/").generation
            assert bench.mark(key).state is MarkState.OFF
            assert bench.mark(key).generation == generation
    assert bench.mark(key).state is MarkState.OFF


@pytest.mark.case("SX2")
def test_a_disarm_that_races_first_connect_is_never_lost(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path))
    owner = owner_of(bench)
    with worker(tmp_path, "greet"):
        for _ in range(40):
            bench.desk.arm(owner, cwd="/", scope=EVERYTHING)
            bench.desk.disarm(owner, cwd="/")
            assert bench.mark(owner.key).state is MarkState.OFF
            bench.desk.reset(owner)
        bench.desk.disarm(owner, cwd="/")
    assert bench.mark(owner.key).state is MarkState.OFF


def test_a_disarm_that_races_arms_yields_only_to_later_ones(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path))
    owner = owner_of(bench)
    with worker(tmp_path, "arm"), worker(tmp_path, "arm"):
        for _ in range(60):
            generation = bench.desk.disarm(owner, cwd="/").generation
            assert still_holds(bench, owner.key, generation)
    bench.desk.disarm(owner, cwd="/")
    assert bench.desk.state(owner.key).word is ArmWord.DISARMED


def test_an_off_beside_a_hung_writer_outlasts_what_that_one_writes_later(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path))
    owner = owner_of(bench)
    for arms_over in ("an ON", "an OFF"):
        bench.desk.arm(owner, cwd="/", scope=EVERYTHING)
        if arms_over == "an OFF":
            bench.desk.disarm(owner, cwd="/")
        with worker(tmp_path, "arm_slowly") as hung:
            assert hung.stdout is not None
            assert hung.stdout.readline() == "read\n"
            done = bench.desk.disarm(owner, cwd="/")
            assert done.path.endswith(".off.json")
            assert bench.desk.state(owner.key).word is ArmWord.DISARMED
        assert bench.desk.state(owner.key).word is ArmWord.DISARMED
        assert not bench.locks.is_taken(LockKind.CONSENT, owner.key)


def test_once_disarm_has_returned_no_delivery_begins(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path))
    owner = owner_of(bench)
    log = Path(bench.log)
    log.touch()

    def deliveries() -> list[str]:
        return log.read_text().split()

    with worker(tmp_path, "deliver"), worker(tmp_path, "deliver"):
        for _ in range(15):
            before = len(deliveries())
            bench.desk.arm(owner, cwd="/", scope=EVERYTHING)
            until(lambda: len(deliveries()) > before, what="a delivery under the grant")  # noqa: B023
            assert bench.desk.disarm(owner, cwd="/").barrier is Barrier.PASSED
            lines = deliveries()
            assert lines == ["begin", "end"] * (len(lines) // 2)
            for _ in range(3):
                with bench.locks.hold(LockKind.DELIVERY, owner.key, wait_seconds=5):
                    pass
            assert deliveries() == lines
    assert len(deliveries()) > 0


def test_a_delivery_under_way_is_waited_for_and_reported(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path))
    owner = owner_of(bench)
    bench.desk.arm(owner, cwd="/", scope=EVERYTHING)
    with bench.locks.hold(LockKind.DELIVERY, owner.key, wait_seconds=0):
        done = bench.desk.disarm(owner, cwd="/")
        assert done.barrier is Barrier.WRITE_UNDER_WAY
        assert bench.desk.state(owner.key).word is ArmWord.DISARMED
        assert not bench.locks.is_taken(LockKind.CONSENT, owner.key)


@pytest.mark.case("S132")
def test_a_childs_off_holds_and_goes_with_the_child(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path))
    child = subprocess.Popen(["sleep", "30"])
    try:
        owner = bench.probe.capture(child.pid, socket_path=None)
        bench.desk.disarm(owner, cwd="/")
        assert bench.desk.reap() == ()
        assert bench.desk.state(owner.key).word is ArmWord.DISARMED
    finally:
        child.kill()
        child.wait()
    assert bench.desk.state(owner.key).word is ArmWord.NONE
    assert bench.desk.reap() == (owner.key,)
    assert list(bench.marks.keys()) == []
