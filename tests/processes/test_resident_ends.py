"""What ends a resident's work, and what does not: opt-ins, vetoes, conversations, broken state."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from support.office import TIDINGS, Office, opened_office
from support.residents import (
    MONITOR,
    another,
    is_running,
    journal_of,
    launched_in,
    phase_of,
    resident_of,
    residents_of,
    start_monitor,
    words_of,
)
from support.simulated import simulated
from support.waiting import until
from tidings.adapters.locks.lock_files import lock_name
from tidings.adapters.wire.published import Message, ShownMessage
from tidings.domain.messages.delivery import OPEN_STATES
from tidings.domain.setup.plugin import monitor_command
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.ports.tokens import LockKind

pytestmark = [
    pytest.mark.xdist_group("ends-office"),
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc"),
]

OPT_IN = "[push]\nauto_arm = true\n"
VETO = "[push]\nauto_arm = false\n"
BARRIER_SECONDS = 3.0
A_COMMAND_SECONDS = 2.0
"""What an interpreter may take on a crowded machine, on top of what is measured."""


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with opened_office() as opened:
        yield opened


def sent(office: Office, *words: str) -> Message:
    return Message.model_validate_json(office.script("send", "--json", *words).out)


def shown(office: Office, ref: str) -> ShownMessage:
    return ShownMessage.model_validate_json(office.script("show", ref, "--json").out)


def end_of(office: Office, ref: str) -> ShownMessage:
    """The message once it has ended."""
    until(lambda: shown(office, ref).state not in OPEN_STATES, 10, "the end of the message")
    return shown(office, ref)


@contextmanager
def opted_in(office: Office, name: str) -> Generator[SimulatedHarness]:
    """A session in a repository that opted in, with a message that waits behind a dialog."""
    folder = office.stage.folder / name
    folder.mkdir()
    (folder / ".tidings.toml").write_text(OPT_IN)
    with another(office, name) as session:
        assert sent(office, name, "--", "by the opt-in").state == "delivered"
        session.wait_idle()
        session.permission_dialog()
        yield session


def stops(office: Office, session: SimulatedHarness, held: Message) -> None:
    """What waited ends as withdrawn, nothing new is taken, and the resident rests."""
    session.deny()
    view = end_of(office, held.ref)
    assert (view.state, view.reason) == ("refused", "consent-withdrawn")
    assert office.script("send", session.view().name, "--", "nor this").code == 5
    resident = resident_of(session)
    until(lambda: phase_of(resident) == "dormant", 10, "the resident's rest")
    assert session.traces.times_read("not any more") == 0


@pytest.mark.case("SM18")
def test_a_repository_that_takes_its_opt_in_away_stops_what_it_had_allowed(office: Office) -> None:
    with opted_in(office, "opted") as session:
        held = sent(office, "opted", "--", "not any more")
        assert held.state == "held"
        (session.cwd / ".tidings.toml").unlink()
        stops(office, session, held)


@pytest.mark.case("SM19")
def test_a_veto_of_the_user_stops_what_an_opt_in_had_allowed(office: Office) -> None:
    config = office.front.home / ".config" / "tidings" / "config.toml"
    with opted_in(office, "vetoed") as session:
        held = sent(office, "vetoed", "--", "not any more")
        assert held.state == "held"
        config.parent.mkdir(parents=True, mode=0o700)
        config.write_text(VETO)
        try:
            stops(office, session, held)
        finally:
            config.unlink()


@contextmanager
def deaf(session: SimulatedHarness) -> Generator[None]:
    """A client that takes no connection any more: it stands still, and others wait before us."""
    with ExitStack() as stack:
        os.kill(session.pid, signal.SIGSTOP)
        stack.callback(os.kill, session.pid, signal.SIGCONT)
        while True:
            waiting = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            waiting.setblocking(False)
            try:
                waiting.connect(str(session.socket_path))
            except BlockingIOError:
                break
        yield


@pytest.mark.case("SM14")
def test_a_disarm_during_a_write_that_hangs_passes_within_three_seconds(office: Office) -> None:
    with another(office, "deaf") as session:
        office.arm(session)
        with deaf(session):
            sender = subprocess.Popen(
                [*TIDINGS, "send", "deaf", "--", "into the void"],
                env={**os.environ, **office.stage.environment},
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
            until(lambda: under_way(office, "deaf"), 10, "a write under way")
            began = time.monotonic()
            said = office.script("disarm", "deaf")
            took = time.monotonic() - began
            sender.wait(20)
            assert said.code == 0, said
            assert took < BARRIER_SECONDS + A_COMMAND_SECONDS
            assert not under_way(office, "deaf"), "the barrier: no write goes on"
        session.prompt("awake again")
        session.wait_idle()
        assert session.traces.times_read("into the void") == 0


def under_way(office: Office, address: str) -> bool:
    """Whether a write to that session has begun and not ended."""
    target = office.activation(address).agent_uid
    return bool(office.app.ports.store.view(lambda tx: tx.marked(target)))


@pytest.mark.case("SP5")
@pytest.mark.parametrize("way", ["clear", "resume_another"])
def test_another_conversation_in_the_same_process_keeps_the_resident(
    office: Office, way: str
) -> None:
    with another(office, f"kept-{way}") as kept:
        office.arm(kept)
        resident, before = resident_of(kept), office.activation(f"kept-{way}")
        getattr(kept, way)()
        kept.wait_idle()
        words = ("--wait", "seen", "--timeout", "8s", "--", f"after {way}")
        assert sent(office, f"kept-{way}", *words).evidence == "seen"
        after = office.activation(f"kept-{way}")
        assert (after.agent_uid, after.activation_id) == (before.agent_uid, before.activation_id)
        assert after.conversation_id == kept.session_id != before.conversation_id
        assert resident_of(kept) == resident
        assert kept.traces.times_read(f"after {way}") == 1


def left(session: SimulatedHarness, way: str) -> None:
    """The session ends, in one of its ways."""
    match way:
        case "exit":
            session.exit()
        case "term":
            os.kill(session.pid, signal.SIGTERM)
            until(lambda: not session.is_alive, 10, "its end")
        case _:
            session.crash()


@pytest.mark.case("SP6", "R135")
@pytest.mark.parametrize("way", ["exit", "term", "crash"])
def test_any_other_end_ends_the_resident_and_drops_what_comes_late(
    office: Office, way: str
) -> None:
    name = f"gone-{way}"
    with another(office, name) as gone:
        office.arm(gone)
        resident = resident_of(gone)
        gone.permission_dialog()
        held = sent(office, name, "--", "too late")
        assert held.state == "held"
        left(gone, way)
        until(lambda: not is_running(resident), 10, "the resident's end")
        assert office.script("send", name, "--", "later still").code == 9
        view = shown(office, held.ref)
        assert (view.state, view.reason) == ("stale", "target-activation-stale")
        assert gone.traces.times_read("too late") == 0


@pytest.mark.case("SM9")
@pytest.mark.parametrize("text", [b"", b"999999999\n", b"nobody"])
def test_a_lock_file_that_names_nobody_who_lives_stops_nobody(office: Office, text: bytes) -> None:
    name = f"lock-{len(text)}"
    with another(office, name) as locked:
        resident = resident_of(locked)
        key = office.activation(name).session_key
        os.kill(resident, signal.SIGKILL)
        until(lambda: not is_running(resident), 15, "its end")
        file = office.state / "locks" / lock_name(LockKind.RESIDENT, key)
        assert file.exists()
        file.write_bytes(text)
        start_monitor(locked)
        until(lambda: name in office.ready(), 10, "the next resident")
        troubles = [
            line
            for line in journal_of(office)
            if line["event"] == "resident.not-registered" and line["session"] == key
        ]
        assert troubles == [], "the kernel's word is what counts, not the file's"


@pytest.mark.case("SM1")
def test_without_the_command_the_monitor_sleeps_and_says_nothing(tmp_path: Path) -> None:
    with simulated(tmp_path, monitor=monitor_command("/gone/python")) as session:
        session.wait_until(lambda view: view.monitor_pid, "the monitor")
        session.prompt("work")
        session.wait_idle()
        pid = session.view().monitor_pid
        assert is_running(pid), "its end would have woken the model (H 9)"
        assert len(session.traces.requests()) == 1
        session.exit()
        until(lambda: not is_running(pid), 15, "its end with the session")


@pytest.mark.case("SM3")
def test_a_registration_that_fails_does_not_end_the_monitor(office: Office, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    (state / "sessions").write_bytes(b"in the way")
    session = SimulatedHarness(
        home=tmp_path / "home",
        cwd=tmp_path / "proj",
        monitor=MONITOR,
        environment={"TIDINGS_HOME": str(state)},
    )
    with session:
        until(lambda: told(state, "resident.not-registered"), 10, "its note")
        (pid,) = residents_of(session)
        session.prompt("work")
        session.wait_idle()
        assert is_running(pid)
        assert len(session.traces.requests()) == 1, "nobody was told"
        (state / "sessions").unlink()
        until(lambda: told(state, "resident.ready"), 10, "its registration")
        assert residents_of(session) == [pid]
    assert office.ready()


@pytest.mark.parametrize("trouble", ["relative", "everybodys", "settings"])
def test_whatever_stands_in_a_monitors_way_it_stays_and_says_nothing(
    tmp_path: Path, trouble: str
) -> None:
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    if trouble == "everybodys":
        state.chmod(0o777)
    config = tmp_path / "home" / ".config" / "tidings" / "config.toml"
    if trouble == "settings":
        config.parent.mkdir(parents=True)
        config.write_text("[store")
    session = SimulatedHarness(
        home=tmp_path / "home",
        cwd=tmp_path / "proj",
        monitor=MONITOR,
        environment={"TIDINGS_HOME": "state" if trouble == "relative" else str(state)},
    )
    with session:
        pid = session.wait_until(lambda view: view.monitor_pid, "the monitor").monitor_pid
        session.prompt("work")
        session.wait_idle()
        until(lambda: words_of(pid)[:1] == ["tail"] or phase_of(pid), 10, "what it comes to")
        assert is_running(pid)
        assert len(session.traces.requests()) == 1
    until(lambda: not is_running(pid), 10, "its end with the session")


def told(state: Path, event: str) -> bool:
    """Whether the journal of that state folder has the event."""
    journal = state / "journal.jsonl"
    lines = journal.read_text().splitlines() if journal.exists() else []
    return any(json.loads(line)["event"] == event for line in lines)


@pytest.mark.case("SP3")
def test_a_monitor_speaks_for_its_own_parent_and_for_nobody_else(office: Office) -> None:
    owner = office.activation("api").owner
    assert owner.pid == office.api.pid
    before = sorted((office.state / "sessions").iterdir())
    monitor = MONITOR.removeprefix("exec ")
    for command in (
        f"CLAUDE_PID={office.front.pid} exec {monitor}",
        f"CLAUDE_PID={os.getpid()} exec {monitor}",
        f"CLAUDE_PID= exec {monitor}",
        f"/bin/sh -c '{monitor}; exit $?'",
    ):
        ran = office.api.command(command)
        assert ran.exit_code != 0
        assert "no child of a harness session" in ran.errors
    assert sorted((office.state / "sessions").iterdir()) == before
    assert office.activation("api").owner == owner


def test_a_helper_started_by_hand_registers_nothing(tmp_path: Path) -> None:
    """Only through a pipe that names a harness, and that harness must publish its session."""
    words = [sys.executable, "-I", "-m", "tidings.entrypoints.resident", "helping"]
    environment = {"HOME": str(tmp_path), "CLAUDE_PID": str(os.getpid())}
    for rest in ([], ["0"], ["99"], ["x"], ["0", "0"]):
        done = subprocess.run(
            [*words, *rest],
            env=environment,
            input=b'{"v":1}',
            capture_output=True,
            timeout=20,
            check=False,
        )
        assert (done.returncode, done.stderr) == (2, b"tidings: only a hook starts this program\n")
    assert list(tmp_path.iterdir()) == []
    assert launched_in(tmp_path) == []
