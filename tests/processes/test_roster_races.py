"""Registering and pruning at the same time, on real files (S 9.3)."""

import os
import subprocess
import threading
from pathlib import Path

import pytest

from tidings.adapters.clocks.system import SystemClock
from tidings.adapters.files.session_records import FileSessionRecords
from tidings.adapters.locks.fcntl_locks import FcntlLocks
from tidings.adapters.processes.native import native_processes
from tidings.adapters.sockets.lstat_nodes import LstatSocketNodes
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.identity.probe import OwnerProbe
from tidings.domain.sessions.roster import Roster
from tidings.ports.tokens import Provider, Verdict


def roster_on(state: Path) -> tuple[Roster, OwnerProbe]:
    """A roster of its own, as every process has one."""
    processes = native_processes(state_folder=str(state))
    probe = OwnerProbe(processes=processes, sockets=LstatSocketNodes())
    roster = Roster(
        records=FileSessionRecords(str(state / "sessions"), codec=JsonCodec()),
        locks=FcntlLocks(str(state / "locks")),
        clock=SystemClock(boot_id=processes.place().boot_id),
        probe=probe,
    )
    return roster, probe


@pytest.mark.case("S42", "S45")
def test_registers_and_prunes_at_once_leave_exactly_the_living_record(tmp_path: Path) -> None:
    errors: list[BaseException] = []

    def register() -> None:
        roster, probe = roster_on(tmp_path)
        owner = probe.capture(os.getpid(), socket_path=None)
        roster.register(owner, provider=Provider.CLAUDE, session_id="s", label="", cwd="/", name="")

    def prune() -> None:
        roster_on(tmp_path)[0].prune()

    def run(work: object) -> None:
        try:
            assert callable(work)
            work()
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    probe = roster_on(tmp_path)[1]
    with subprocess.Popen(["sleep", "30"]) as ended:
        gone = probe.capture(ended.pid, socket_path=None)
        roster_on(tmp_path)[0].register(
            gone, provider=Provider.CLAUDE, session_id="", label="", cwd="/", name=""
        )
        ended.kill()
    threads = [threading.Thread(target=run, args=(work,)) for work in [register, prune] * 20]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert errors == []
    rows = roster_on(tmp_path)[0].list()
    assert [(row.verdict, row.key.partition("-")[0]) for row in rows] == [
        (Verdict.ALIVE, str(os.getpid()))
    ]
    assert (tmp_path / "locks" / "registry.lock").exists()
