"""One resident per session, from its start to its end, in real processes (D12, D13, D35)."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.office import Office, opened_office
from support.residents import (
    another,
    environment_of,
    hold_off_helpers,
    is_running,
    journal_of,
    phase_of,
    resident_of,
    residents_of,
    sockets_of,
    start_monitor,
    token_of,
    words_of,
)
from support.waiting import until
from tidings.adapters.files.consent_marks import FileConsentMarks
from tidings.adapters.locks.fcntl_locks import FcntlLocks
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.adapters.wire.published import Message, ShownMessage
from tidings.domain.messages.delivery import OPEN_STATES
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.ports.errors import NotRunning
from tidings.ports.tokens import LockKind

pytestmark = [
    pytest.mark.xdist_group("resident-office"),
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc"),
]

TERMINATIONS = [
    ("dormant", signal.SIGTERM),
    ("awake", signal.SIGTERM),
    ("awake", signal.SIGINT),
]


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with opened_office() as opened:
        yield opened


@pytest.fixture
def armed(office: Office) -> Iterator[Office]:
    office.arm()
    yield office
    office.disarm()


def sent(office: Office, *words: str) -> Message:
    return Message.model_validate_json(office.script("send", *words).out)


def shown(office: Office, ref: str) -> ShownMessage:
    return ShownMessage.model_validate_json(office.script("show", ref, "--json").out)


def troubles(office: Office, key: str) -> list[object]:
    """Why monitors of that session could not register, as often as they said so."""
    return [
        line["why"]
        for line in journal_of(office)
        if line["event"] == "resident.not-registered" and line["session"] == key
    ]


@pytest.mark.case("SM2", "SM4", "SP1")
def test_unarmed_it_is_registered_dormant_silent_and_without_a_socket(office: Office) -> None:
    pid = resident_of(office.api)
    key = office.activation("api").session_key
    assert (office.state / "sessions" / f"{key}.json").exists()
    until(lambda: phase_of(pid) == "dormant", 15, "sleep")
    assert sockets_of(pid) == []
    assert office.api.traces.requests() == [], "a line or an end of the monitor woke the model"


@pytest.mark.case("S147", "SM16")
def test_it_wakes_and_falls_asleep_with_consent_as_one_process(office: Office) -> None:
    pid = resident_of(office.api)
    for _ in range(2):
        office.arm()
        until(lambda: phase_of(pid) == "awake", 2, "the awake image, in the case's two seconds")
        office.disarm()
        until(lambda: phase_of(pid) == "dormant", 2, "sleep, in the case's two seconds")
        assert resident_of(office.api) == pid
    assert sockets_of(pid) == []
    assert "api" in office.ready()
    assert office.api.traces.requests() == []


@pytest.mark.case("R91")
def test_the_secrets_show_in_no_image(office: Office) -> None:
    pid = resident_of(office.api)
    until(lambda: phase_of(pid) == "dormant", 15, "the dormant image")
    seen = [(phase_of(pid), environment_of(pid), words_of(pid))]
    office.arm()
    until(lambda: phase_of(pid) == "awake", 15, "the awake image")
    seen.append((phase_of(pid), environment_of(pid), words_of(pid)))
    office.disarm()
    token = token_of(office.api)
    assert len(token) > 16
    assert [phase for phase, _environment, _words in seen] == ["dormant", "awake"]
    for phase, environment, words in seen:
        assert b"CLAUDE_PID=" in environment
        assert b"CLAUDE_CODE_MESSAGING" not in environment
        assert token not in environment
        assert str(office.api.socket_path).encode() not in environment
        assert str(office.api.socket_path) not in " ".join(words)
        assert words[-2] == phase
        assert words[-1].isdigit()
        assert token.decode() not in " ".join(words)


def test_a_garbage_line_in_the_spool_stops_nothing(armed: Office) -> None:
    pid = resident_of(armed.api)
    spool = armed.state / "events" / f"{armed.activation('api').session_key}.jsonl"
    with spool.open("ab") as handle:
        handle.write(b'garbage \xff{"\n[1, 2]\n{"event": 5}\n\n')
    message = sent(armed, "api", "--wait", "seen", "--timeout", "8s", "--json", "--", "after it")
    assert (message.state, message.evidence) == ("delivered", "seen")
    assert resident_of(armed.api) == pid


def test_after_clear_an_accepted_message_goes_stale_and_the_agent_stays(armed: Office) -> None:
    before = armed.activation("api")
    armed.api.wait_idle()
    pid = resident_of(armed.api)
    os.kill(pid, signal.SIGSTOP)
    accepted = sent(armed, "api", "--json", "--", "for the conversation before")
    assert accepted.state == "accepted"
    armed.api.clear()
    os.kill(pid, signal.SIGCONT)
    view = end_of(armed, accepted.ref)
    assert (view.state, view.reason) == ("stale", "target-activation-stale")
    after = armed.activation("api")
    assert (after.agent_uid, after.activation_id) == (before.agent_uid, before.activation_id)
    assert after.conversation_id == armed.api.session_id != before.conversation_id
    assert armed.api.traces.times_read("for the conversation before") == 0
    message = sent(armed, "api", "--wait", "seen", "--timeout", "8s", "--json", "--", "for the new")
    assert message.evidence == "seen"


def end_of(office: Office, ref: str) -> ShownMessage:
    """The message once it has ended."""
    until(lambda: shown(office, ref).state not in OPEN_STATES, 10, "the end of the message")
    return shown(office, ref)


def test_a_clear_while_it_sleeps_is_followed_by_the_next_sender(office: Office) -> None:
    pid = resident_of(office.front)
    until(lambda: phase_of(pid) == "dormant", 15, "sleep")
    office.front.clear()
    office.front.wait_idle()
    office.arm(office.front)
    message = sent(office, "front", "--wait", "seen", "--timeout", "8s", "--json", "--", "welcome")
    assert (message.state, message.evidence) == ("delivered", "seen")
    office.disarm(office.front)


@pytest.mark.case("SM5")
def test_of_two_monitors_one_serves_and_the_other_waits_and_takes_over(office: Office) -> None:
    with another(office, "twin") as twin:
        key = office.activation("twin").session_key
        first = resident_of(twin)
        start_monitor(twin)
        second = until(lambda: [pid for pid in residents_of(twin) if pid != first], 10)[0]
        until(lambda: troubles(office, key), 10, "its note")
        until(lambda: phase_of(first) == "dormant", 15, "the first one's sleep")
        assert phase_of(second) == "arriving"
        os.kill(first, signal.SIGKILL)
        until(lambda: phase_of(second) == "dormant", 10, "the successor")
        until(lambda: "twin" in office.ready(), 15, "its lease")
        said = troubles(office, key)
        assert said[0] == "LockTimeout"
        assert len(said) == len(set(said)), "one note a trouble, not one a try"
        office.arm(twin)
        assert sent(office, "twin", "--json", "--", "to the successor").state == "delivered"
    until(lambda: not is_running(second), 10, "the end of the successor")


@pytest.mark.case("SM7")
def test_held_without_a_resident_and_delivered_when_one_arrives(office: Office) -> None:
    with another(office, "late") as late:
        office.arm(late)
        first = resident_of(late)
        hold_off_helpers(office, office.activation("late").session_key)
        os.kill(first, signal.SIGKILL)
        until(lambda: not is_running(first), 15, "its end")
        late.wait_idle()
        held = sent(office, "late", "--json", "--", "while nobody serves")
        assert (held.state, held.reason) == ("held", "target-not-ready")
        lost = next(
            one for one in office.app.admission.living() if one.activation.address == "late"
        )
        assert str(lost.shape) == "registration-lost"
        start_monitor(late)
        view = end_of(office, held.ref)
        assert view.state == "delivered"


def test_a_crashed_harness_ends_its_run_and_what_waited_for_it(office: Office) -> None:
    with another(office, "doomed") as doomed:
        run = office.activation("doomed")
        office.arm(doomed)
        pid = resident_of(doomed)
        doomed.permission_dialog()
        held = sent(office, "doomed", "--json", "--", "too late")
        assert held.state == "held"
        doomed.crash()
        until(lambda: not is_running(pid), 10, "the resident's own end")
        view = shown(office, held.ref)
        assert (view.state, view.reason) == ("stale", "target-activation-stale")
        stored = office.app.ports.store.view(lambda tx: tx.activation(run.activation_id))
        assert stored is not None
        assert stored.end_reason == "process-gone"
        with pytest.raises(NotRunning):
            office.activation("doomed")


@pytest.mark.case("SX21")
def test_a_dormant_one_notices_the_crash_too_and_nothing_can_arm_the_dead(office: Office) -> None:
    with another(office, "sleeper") as sleeper:
        key = office.activation("sleeper").session_key
        office.arm(sleeper)
        office.disarm(sleeper)
        pid = resident_of(sleeper)
        until(lambda: phase_of(pid) == "dormant", 15, "sleep")
        office.arm(sleeper)
        sleeper.crash()
        until(lambda: not is_running(pid), 10, "the resident's own end")
        assert sleeper.socket_path.exists(), "the node stays behind, as after a real SIGKILL"
        assert office.app.desk.state(key).word == "none"
        assert office.operator("arm", "sleeper").code == 9


@pytest.mark.case("SM12")
@pytest.mark.parametrize(("phase", "number"), TERMINATIONS)
def test_told_to_end_it_ends_with_130_frees_its_lock_and_keeps_the_file(
    office: Office, phase: str, number: signal.Signals
) -> None:
    with another(office, "ended") as ended:
        key = office.activation("ended").session_key
        pid = resident_of(ended)
        if phase == "awake":
            office.arm(ended)
            until(lambda: phase_of(pid) == "awake", 15, "the awake image")
        hold_off_helpers(office, key)
        os.kill(pid, number)
        until(lambda: not is_running(pid), 15, "its end")
        told = 'Monitor "tidings" script failed (exit 130)'
        until(lambda: ended.traces.times_read(told) == 1, 15, "the client's word on its exit code")
        locks = FcntlLocks(str(office.state / "locks"))
        assert not locks.is_taken(LockKind.RESIDENT, key)
        assert list((office.state / "locks").glob(f"*{key}*"))
        assert "ended" not in office.ready()
        assert office.activation("ended").session_key == key


@pytest.mark.case("SM13", "S146")
@pytest.mark.parametrize("phase", ["dormant", "awake"])
def test_told_to_end_while_its_harness_lives_it_leaves_at_once(office: Office, phase: str) -> None:
    name = f"left-{phase}"
    with another(office, name) as left:
        if phase == "awake":
            office.arm(left)
        # A crowded machine delays one end or another; a wait of ours would delay every one.
        ends = (seconds_to_end(office, left, name, phase) for _ in range(5))
        assert any(seconds < 1.5 for seconds in ends)


def seconds_to_end(office: Office, left: SimulatedHarness, name: str, phase: str) -> float:
    """Tells the resident to end, and leaves the session with another one."""
    pid = resident_of(left)
    until(lambda: phase_of(pid) == phase, 15, "the image")
    began = time.monotonic()
    os.kill(pid, signal.SIGTERM)
    until(lambda: not is_running(pid), 10, "its end")
    took = time.monotonic() - began
    assert name not in office.ready()
    start_monitor(left)
    until(lambda: name in office.ready(), 10, "the next resident")
    return took


def test_a_run_that_ended_after_its_resident_is_ended_with_what_waited_by_the_next_resident(
    office: Office,
) -> None:
    with another(office, "closing") as closing:
        run = office.activation("closing")
        office.arm(closing)
        closing.permission_dialog()
        held = sent(office, "closing", "--json", "--", "too late")
        assert held.state == "held"
        closing.exit()
        with another(office, "next"):
            view = end_of(office, held.ref)
        assert (view.state, view.reason) == ("stale", "target-activation-stale")
        stored = office.app.ports.store.view(lambda tx: tx.activation(run.activation_id))
        assert stored is not None
        assert stored.end_reason == "process-gone"


@pytest.mark.case("SM6")
def test_two_sessions_in_one_folder_never_share_consent(office: Office) -> None:
    with (
        another(office, "left", folder="shared") as left,
        another(office, "right", folder="shared") as right,
    ):
        assert left.cwd == right.cwd
        office.arm(left)
        assert office.script("send", "right", "--", "not for you").code == 5
        assert office.inside(left, "should-arm").code == 0
        assert office.inside(right, "should-arm").code == 1
        office.disarm(right)
        assert sent(office, "left", "--json", "--", "for you").state == "delivered"
        office.arm(right)
        assert sent(office, "right", "--json", "--", "for you now").state == "delivered"
        assert sent(office, "left", "--json", "--", "for you still").state == "delivered"
        marks = FileConsentMarks(str(office.state / "consent"), codec=JsonCodec())
        keys = {office.activation(name).session_key for name in ("left", "right")}
        assert len(keys) == 2
        assert keys <= set(marks.keys())


def test_an_ordinary_exit_of_the_client_ends_it_and_the_run(office: Office) -> None:
    with another(office, "brief") as brief:
        pid = resident_of(brief)
        brief.exit()
        until(lambda: not is_running(pid), 15, "its end")
        with pytest.raises(NotRunning):
            office.activation("brief")
