"""A socket whose folder may not be searched: unknown, by a real permission error (S 9.2, 9.10)."""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from processes.consent_worker import Bench
from support.opt_in import nobody_opted_in, nobody_registered
from support.powerless import powerless
from tidings.adapters.processes.native import native_processes
from tidings.adapters.sockets.lstat_nodes import LstatSocketNodes
from tidings.domain.consent.arming import (
    ArmWord,
    ConsentRequest,
    Denied,
    decide_answer_consent,
    decide_consent,
)
from tidings.domain.consent.desk import ConsentDesk
from tidings.domain.consent.scope import EVERYTHING
from tidings.domain.identity.probe import OwnerProbe
from tidings.ports.sockets import SocketFact, SocketUnreadable
from tidings.ports.tokens import Verdict


class PowerlessSocketNodes:
    """The real adapter without root's rights."""

    def look(self, path: str) -> SocketFact:
        with powerless():
            return LstatSocketNodes().look(path)


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(dir="/tmp", prefix="td-"))
    path.chmod(0o755)
    yield path
    path.chmod(0o700)
    shutil.rmtree(path)


def bind(folder: Path) -> str:
    path = str(folder / "a.sock")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(path)
    return path


@pytest.mark.case("S29", "S30")
def test_a_socket_that_may_not_be_looked_at_is_unknown_beside_a_living_process(
    folder: Path,
) -> None:
    probe = OwnerProbe(processes=native_processes(state_folder="/"), sockets=PowerlessSocketNodes())
    owner = probe.capture(os.getpid(), socket_path=bind(folder))
    assert owner.socket is not None
    assert probe.judge(owner).verdict is Verdict.ALIVE
    folder.chmod(0o000)
    assert isinstance(PowerlessSocketNodes().look(owner.socket.path), SocketUnreadable)
    assert [signal.verdict for signal in probe.judge(owner).signals] == [
        Verdict.ALIVE,
        Verdict.UNKNOWN,
    ]
    assert probe.judge(owner).verdict is Verdict.UNKNOWN


@pytest.mark.case("S131")
def test_its_mark_is_unverifiable_kept_and_grants_nothing(folder: Path, tmp_path: Path) -> None:
    bench = Bench(str(tmp_path))
    probe = OwnerProbe(processes=native_processes(state_folder="/"), sockets=PowerlessSocketNodes())
    desk = ConsentDesk(
        marks=bench.marks,
        locks=bench.locks,
        clock=bench.clock,
        probe=probe,
        default_of=nobody_opted_in,
        registered=nobody_registered,
    )
    owner = probe.capture(os.getpid(), socket_path=bind(folder))
    desk.arm(owner, cwd="/", scope=EVERYTHING)
    before = bench.marks.read(owner.key)
    folder.chmod(0o000)
    state = desk.state(owner.key)
    assert state.word is ArmWord.UNVERIFIABLE
    asked = ConsentRequest(sender_agent="u1", sender_address="front", kind="message")
    assert isinstance(decide_consent(state, asked, now_ns=1), Denied)
    assert isinstance(decide_answer_consent(state), Denied)
    assert desk.reap() == ()
    assert bench.marks.read(owner.key) == before
