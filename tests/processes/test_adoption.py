"""Sessions without a monitor of ours: a hook starts their resident, and only theirs (D12, R 2)."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.office import Office, opened_office
from support.residents import (
    another,
    environment_of,
    helpers_of,
    is_running,
    journal_of,
    launched_in,
    phase_of,
    resident_of,
    sockets_of,
    start_monitor,
    token_of,
    words_of,
)
from support.waiting import until
from tidings.adapters.wire.published import Message, ShownMessage
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.simulated.options import PermissionMode, SessionKind
from tidings.entrypoints.simulated.script import Think, UseTool
from tidings.ports.agents import RegistrationRow

pytestmark = [
    pytest.mark.xdist_group("adoption-office"),
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc"),
]

BYPASS = PermissionMode.BYPASS


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with opened_office() as opened:
        yield opened


def sent(office: Office, *words: str) -> Message:
    return Message.model_validate_json(office.script("send", "--json", *words).out)


def shown(office: Office, ref: str) -> ShownMessage:
    return ShownMessage.model_validate_json(office.script("show", ref, "--json").out)


def wait_for_evidence(office: Office, message: Message, evidence: str = "seen") -> None:
    until(lambda: shown(office, message.ref).evidence == evidence, 10, f"{evidence} of {message}")


def only_helper(office: Office) -> int:
    """The one helper of the office, at rest."""

    def found() -> list[int]:
        there = [pid for pid in helpers_of(office) if phase_of(pid) in ("dormant", "awake")]
        return there if len(there) == 1 else []

    return until(found, 10, "one helper at rest")[0]


def helped_sessions(office: Office, key: str) -> list[object]:
    """Whatever the journal tells of one session."""
    return [line["event"] for line in journal_of(office) if line.get("session") == key]


def age_the_launch(office: Office, key: str) -> None:
    """As if the latest helper of that session had been launched a minute ago."""
    then = time.time() - 60
    os.utime(office.state / "events" / f"{key}.start", (then, then))


def test_where_no_monitor_runs_a_hook_starts_a_resident_that_is_as_silent(office: Office) -> None:
    with another(office, "solo", monitor="") as solo:
        pid = only_helper(office)
        key = office.activation("solo").session_key
        assert (office.state / "sessions" / f"{key}.json").exists()
        until(lambda: phase_of(pid) == "dormant", 15, "sleep")
        assert sockets_of(pid) == []
        assert solo.traces.requests() == []
        assert os.getsid(pid) == pid, "the harness's signals to the hook's group do not reach it"
        assert {os.readlink(f"/proc/{pid}/fd/{stream}") for stream in (0, 1, 2)} == {"/dev/null"}
    until(lambda: not is_running(pid), 10, "its end with its harness")


def test_the_secrets_of_a_helper_are_in_no_environment_and_no_word(office: Office) -> None:
    with another(office, "secret", monitor="") as secret:
        pid = only_helper(office)
        token = token_of(secret)
        seen = [(environment_of(pid), words_of(pid))]
        office.arm(secret)
        until(lambda: phase_of(pid) == "awake", 15, "the awake image")
        seen.append((environment_of(pid), words_of(pid)))
        for environment, words in seen:
            assert b"CLAUDE_PID=" in environment
            assert b"CLAUDE_CODE_MESSAGING" not in environment
            assert token not in environment
            assert token.decode() not in " ".join(words)


@pytest.mark.case("SM8")
def test_where_a_monitor_runs_the_helper_ends_in_silence(office: Office) -> None:
    with another(office, "both") as both:
        key = office.activation("both").session_key
        monitor = resident_of(both)
        assert (office.state / "events" / f"{key}.start").exists(), "a helper was launched"
        until(lambda: helpers_of(office) == [], 15, "the helper's end")
        assert resident_of(both) == monitor
        assert helped_sessions(office, key) == ["resident.ready"], "nobody tried and failed"
        assert both.traces.requests() == []


@pytest.mark.parametrize("kind", list(SessionKind))
def test_every_kind_of_session_has_one_resident(office: Office, kind: SessionKind) -> None:
    name = f"kind-{kind.value}"
    with another(office, name, kind=kind) as session:
        if kind is SessionKind.PRINT:
            assert session.view().monitor_pid == 0, "no monitor starts there (H 4)"
            only_helper(office)
        else:
            resident_of(session)
            until(lambda: helpers_of(office) == [], 15, "the helper's end")
        session.prompt("first")
        session.wait_idle()
        office.arm(session)
        message = sent(office, name, "--wait", "seen", "--timeout", "8s", "--", f"to {name}")
        assert (message.state, message.evidence) == ("delivered", "seen")
        assert session.traces.times_read(f"to {name}") == 1


def test_before_the_mode_is_known_nothing_is_written_and_then_it_goes_out(office: Office) -> None:
    with another(office, "young", monitor="") as young:
        office.arm(young)
        held = sent(office, "young", "--", "before the first prompt")
        assert (held.state, held.reason) == ("held", "awaiting-pull")
        assert young.view().frames == 0
        young.prompt("hello")
        wait_for_evidence(office, held)
        assert young.traces.times_read("before the first prompt") == 1


def test_what_the_client_would_hold_from_an_outsider_is_not_written(office: Office) -> None:
    """In bypass mode the frame of a process that is no live child waits on the screen (H 9)."""
    with another(office, "wild", monitor="", mode=BYPASS) as wild:
        wild.prompt("hello")
        wild.wait_idle()
        office.arm(wild)
        held = sent(office, "wild", "--", "not for the screen")
        assert (held.state, held.reason) == ("held", "awaiting-pull")
        assert wild.view().held == ()
        wild.change_mode(PermissionMode.ACCEPT_EDITS)
        wild.prompt("calm again")
        wait_for_evidence(office, held)
        assert wild.view().held == ()


def test_a_helper_holds_behind_a_dialog_and_takes_answers_as_a_monitor_does(
    office: Office,
) -> None:
    with another(office, "whole", monitor="") as whole:
        whole.prompt("hello")
        whole.wait_idle()
        office.arm(whole)
        whole.permission_dialog()
        asked = office.inside(office.front, "send whole --json -- 'all green?'")
        held = Message.model_validate_json(asked.out)
        assert (held.state, held.reason) == ("held", "target-awaiting-operator")
        whole.deny()
        wait_for_evidence(office, held)
        whole.wait_idle()
        whole.answer("all green")
        until(lambda: office.front.traces.times_read("| all green") == 1, 10, "the answer")
        assert shown(office, held.ref).evidence == "answered"


def test_a_monitor_that_comes_later_takes_over_and_is_trusted_in_every_mode(office: Office) -> None:
    """``/reload-plugins`` starts it; the helper makes room, since only a live child may write."""
    with another(office, "later", monitor="", mode=BYPASS) as later:
        later.prompt("hello")
        later.wait_idle()
        office.arm(later)
        helper = only_helper(office)
        held = sent(office, "later", "--", "through the monitor")
        assert held.state == "held"
        start_monitor(later)
        until(lambda: not is_running(helper), 10, "the helper's end")
        until(lambda: shown(office, held.ref).state == "delivered", 10, "the delivery")
        until(lambda: later.view().queued == 1, 15, "the frame behind the running tool")
        assert later.view().held == ()
        resident_of(later)


def test_a_dormant_helper_makes_room_too(office: Office) -> None:
    with another(office, "sleepy", monitor="") as sleepy:
        helper = only_helper(office)
        start_monitor(sleepy)
        until(lambda: not is_running(helper), 10, "the helper's end")
        until(lambda: "sleepy" in office.ready(), 10, "the monitor's lease")
        resident_of(sleepy)


def test_a_resident_that_was_killed_is_followed_by_another_at_the_next_event(
    office: Office,
) -> None:
    with another(office, "phoenix", monitor="") as phoenix:
        key = office.activation("phoenix").session_key
        first = only_helper(office)
        os.kill(first, signal.SIGKILL)
        until(lambda: not is_running(first), 15, "its end")
        age_the_launch(office, key)
        phoenix.prompt("anybody there?")
        second = only_helper(office)
        assert second != first
        office.arm(phoenix)
        message = sent(office, "phoenix", "--wait", "seen", "--timeout", "8s", "--", "welcome")
        assert message.evidence == "seen"


def write_settings(office: Office, hooks: object) -> None:
    """The user's settings, as a person or setup replaces them."""
    path = office.front.home / ".claude" / "settings.json"
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(hooks))
    draft.rename(path)


@pytest.fixture
def without_setup(office: Office) -> Iterator[dict[str, object]]:
    """Nothing of Tidings is in the settings; the value is what setup puts there."""
    path = office.front.home / ".claude" / "settings.json"
    text = path.read_text()
    until(lambda: helpers_of(office) == [], 10, "the end of earlier helpers")
    write_settings(office, {})
    yield json.loads(text)
    write_settings(office, json.loads(text))


def running(office: Office, name: str, folder: str) -> SimulatedHarness:
    """A session that nobody of us knows."""
    return SimulatedHarness(
        home=office.front.home,
        cwd=office.stage.folder / folder,
        name=name,
        environment={"TIDINGS_HOME": str(office.state)},
    )


def test_a_session_that_ran_before_setup_is_adopted_at_its_next_event(
    office: Office, without_setup: dict[str, object]
) -> None:
    with running(office, "veteran", "veteran") as veteran:
        veteran.prompt("long before")
        veteran.wait_idle()
        conversation = veteran.session_id
        assert helpers_of(office) == []
        write_settings(office, without_setup)
        veteran.prompt("after")
        until(lambda: "veteran" in office.ready(), 10, "its registration")
        found = office.activation("veteran")
        assert found.conversation_id == conversation
        assert found.owner.pid == veteran.pid
        office.arm(veteran)
        message = sent(office, "veteran", "--wait", "seen", "--timeout", "8s", "--", "hello old")
        assert (message.state, message.evidence) == ("delivered", "seen")


def test_two_that_ran_before_in_one_folder_are_kept_apart(
    office: Office, without_setup: dict[str, object]
) -> None:
    with running(office, "elder", "shared") as elder, running(office, "younger", "shared") as other:
        write_settings(office, without_setup)
        for session in (elder, other):
            session.prompt("go on")
            session.wait_idle()
        until(lambda: {"elder", "younger"} <= office.ready(), 10, "both registrations")
        until(lambda: len(helpers_of(office)) == 2, 15, "a helper for each")
        office.arm(elder)
        assert sent(office, "elder", "--", "for the elder").state == "delivered"
        assert office.script("send", "younger", "--", "not armed").code == 5
        until(lambda: elder.traces.times_read("for the elder") == 1, 15, "the frame")
        assert other.traces.times_read("for the elder") == 0


@pytest.mark.case("R77")
def test_a_nested_session_is_one_of_its_own_and_never_takes_over(office: Office) -> None:
    """The inner client runs in the outer one's shell and inherits all of its variables."""
    with another(office, "outer") as outer:
        resident, before = resident_of(outer), office.activation("outer")
        record = office.state / "sessions" / f"{before.session_key}.json"
        registered = record.read_bytes(), registration_of(office, "outer")
        script = office.stage.folder / "inner.jsonl"
        steps = [{"do": "prompt", "text": "inside", "steps": [think(8.0)]}]
        script.write_text("".join(json.dumps(step) + "\n" for step in steps))
        words = [sys.executable, "-I", "-m", "tidings.entrypoints.simulated"]
        words += ["--home", str(outer.home), "--cwd", str(outer.cwd), "--name", "inner"]
        command = " ".join([*words, "--script", str(script)])
        outer.prompt(
            "nest", UseTool(tool_input={"command": f"exec timeout 15 {command}"}, runs=True)
        )
        until(lambda: "inner" in office.ready(), 15, "the inner registration")
        inner, after = office.activation("inner"), office.activation("outer")
        assert inner.session_key != after.session_key
        assert (after, resident_of(outer)) == (before, resident)
        assert (record.read_bytes(), registration_of(office, "outer")) == registered
        assert inner.owner.pid not in (outer.pid, os.getpid())
        os.kill(inner.owner.pid, signal.SIGTERM)
        until(lambda: "inner" not in office.ready(), 10, "the inner end")
        assert "outer" in office.ready()


def registration_of(office: Office, address: str) -> RegistrationRow | None:
    """The lease on the session at that address."""
    activation_id = office.activation(address).activation_id
    return office.app.ports.store.view(lambda tx: tx.registration(activation_id))


def think(seconds: float) -> dict[str, object]:
    """A model call of the simulated client, as its script has it."""
    from tidings.entrypoints.simulated.script import to_document

    return dict(to_document(Think(seconds=seconds)))


def told_and_launched(office: Office) -> set[Path]:
    """What hooks leave behind; quiet signs come and go with the residents of other sessions."""
    return {
        one for one in (office.state / "events").iterdir() if one.suffix in (".jsonl", ".start")
    }


@pytest.mark.case("R100")
def test_a_hook_whose_parent_is_not_the_named_client_tells_and_starts_nothing(
    office: Office,
) -> None:
    with another(office, "named", monitor="") as named:
        only_helper(office)
        key = office.activation("named").session_key
        spool = office.state / "events" / f"{key}.jsonl"
        before = spool.read_bytes(), told_and_launched(office)
        done = subprocess.run(
            [sys.executable, "-I", "-m", "tidings.entrypoints.hook", "claude"],
            input=b'{"hook_event_name": "Stop", "session_id": "forged"}',
            env={
                **office.stage.environment,
                "CLAUDE_PID": str(named.pid),
                "CLAUDE_CODE_MESSAGING_SOCKET": str(named.socket_path),
            },
            capture_output=True,
            timeout=20,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert (spool.read_bytes(), told_and_launched(office)) == before


def test_a_storm_of_hooks_starts_one_helper(office: Office) -> None:
    with another(office, "stormy", monitor="") as stormy:
        key = office.activation("stormy").session_key
        first = only_helper(office)
        os.kill(first, signal.SIGKILL)
        until(lambda: not is_running(first), 15, "its end")
        age_the_launch(office, key)
        for _ in range(6):
            stormy.prompt("again", UseTool(tool_input={"command": "make"}))
        most = 0

        def served() -> bool:
            nonlocal most
            most = max(most, len(helpers_of(office)))
            return "stormy" in office.ready() and stormy.view().queued == 0

        until(served, 15, "the next resident")
        stormy.wait_idle()
        assert most == 1
        only_helper(office)


@pytest.mark.case("R89")
def test_a_program_that_only_set_the_clients_variables_is_no_session(
    office: Office, tmp_path: Path
) -> None:
    """It publishes no session, so no helper registers it."""
    state = tmp_path / "state"
    done = subprocess.run(
        [sys.executable, "-I", "-m", "tidings.entrypoints.hook", "claude"],
        input=b'{"hook_event_name": "Stop", "session_id": "s"}',
        env={
            "HOME": str(tmp_path),
            "TIDINGS_HOME": str(state),
            "CLAUDE_PID": str(os.getpid()),
            "CLAUDE_CODE_MESSAGING_SOCKET": str(tmp_path / "s.sock"),
        },
        capture_output=True,
        timeout=20,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (pid,) = until(lambda: launched_in(tmp_path), 15, "the helper")
    until(lambda: not is_running(pid), 10, "its end")
    assert not (state / "sessions").exists()
    journal = state / "journal.jsonl"
    assert not journal.exists() or len(journal.read_text().splitlines()) <= 1
    assert office.ready()
