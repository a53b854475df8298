"""What a hook does where nobody listens: it starts one helper, and waits for nothing (D10, D12)."""

from __future__ import annotations

import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from support.hook_events import payload, tool
from support.hook_process import HOOK, Harness
from support.residents import launched_in
from support.waiting import until
from tidings.adapters.files.doorbells import listen
from tidings.domain.setup.pieces import EVENTS, hook_command, quiet_hook_command
from tidings.ports.codec import Document

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="finds helpers in /proc"
)

STOP = payload("Stop")


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[Harness]:
    """A client with a messaging socket; its helpers are ended, since it publishes no session."""
    found = Harness(home=tmp_path)
    found.environment["CLAUDE_CODE_MESSAGING_SOCKET"] = str(tmp_path / "s.sock")
    yield found
    for pid in launched_in(tmp_path):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)


def note_of(harness: Harness) -> Path:
    """What remembers when the latest helper was launched."""
    return harness.spool.with_suffix(".start")


def is_launched(harness: Harness) -> bool:
    """Whether a helper was launched, and came up."""
    if not note_of(harness).exists():
        return False
    until(lambda: launched_in(harness.home), 15, "the helper")
    return True


@pytest.mark.case("R84")
@pytest.mark.parametrize("event", EVENTS)
def test_an_event_of_any_kind_starts_a_helper(harness: Harness, event: str) -> None:
    harness.hook(payload(event, tool_name="Bash", tool_input={"command": "make"}))
    assert is_launched(harness)
    assert {one.name for one in harness.events.parent.iterdir()} == {"events"}, "no journal"


@pytest.mark.case("R87")
def test_a_hook_whose_whole_group_is_killed_leaves_its_helper_at_work(harness: Harness) -> None:
    """A client ends a hook that takes too long by its group (H 2)."""
    line = f"{shlex.join(HOOK)} claude; exec tail -f /dev/null"
    with subprocess.Popen(
        ["/bin/sh", "-c", line],
        stdin=subprocess.PIPE,
        env=harness.environment,
        start_new_session=True,
    ) as shell:
        assert shell.stdin is not None
        shell.stdin.write(json.dumps(STOP).encode())
        shell.stdin.close()
        (pid,) = until(lambda: launched_in(harness.home), 15, "the helper")
        until(lambda: os.getsid(pid) == pid, 15, "its own session")
        os.killpg(shell.pid, signal.SIGKILL)
    assert launched_in(harness.home) == [pid]


def test_an_event_that_says_nothing_starts_one_too_and_leaves_no_record(harness: Harness) -> None:
    harness.hook(payload("Notification", notification_type="idle_prompt"))
    assert is_launched(harness)
    assert harness.told() == []


def test_the_end_of_a_session_starts_none(harness: Harness) -> None:
    """Its socket is closed by then, and so the variables are gone (H 2)."""
    del harness.environment["CLAUDE_CODE_MESSAGING_SOCKET"]
    harness.hook(payload("SessionEnd", reason="other"))
    assert len(harness.told()) == 1
    assert not is_launched(harness)


def test_where_somebody_listens_none_is_started(harness: Harness) -> None:
    bell = listen(str(harness.events), harness.spool.stem)
    harness.hook(STOP)
    harness.hook(payload("Notification", notification_type="idle_prompt"))
    assert bell.drain()
    assert not is_launched(harness)
    bell.close()
    harness.hook(STOP)
    assert is_launched(harness), "the kernel knows that the listener is gone"


def test_a_second_hook_starts_none_until_the_first_helper_had_its_time(harness: Harness) -> None:
    harness.hook(STOP)
    assert is_launched(harness)
    noted_at = note_of(harness).stat().st_mtime_ns
    harness.hook(STOP)
    assert note_of(harness).stat().st_mtime_ns == noted_at
    for then in (time.time() - 11, time.time() + 3600):
        os.utime(note_of(harness), (then, then))
        harness.hook(STOP)
        assert abs(note_of(harness).stat().st_mtime - time.time()) < 10, "noted by our own clock"


def test_it_waits_for_nothing_and_hands_none_of_its_streams_on(harness: Harness) -> None:
    """A client waits until a hook's output is closed; ``hook`` does so too."""
    harness.hook(STOP)
    (pid,) = until(lambda: launched_in(harness.home), 15, "the helper, still at work")
    assert {os.readlink(f"/proc/{pid}/fd/{stream}") for stream in (0, 1, 2)} == {"/dev/null"}


@pytest.mark.parametrize("plant", ["link", "fifo", "folder"])
def test_what_was_planted_in_the_place_of_the_note_is_left_alone(
    harness: Harness, plant: str
) -> None:
    harness.events.mkdir(parents=True)
    note, aim = note_of(harness), harness.home / "aim"
    aim.write_bytes(b"mine")
    os.utime(aim, (1, 1))
    match plant:
        case "link":
            note.symlink_to(aim)
        case "fifo":
            os.mkfifo(note)
        case _:
            note.mkdir()
    harness.hook(STOP)
    assert aim.stat().st_mtime == 1
    assert launched_in(harness.home) == []


def test_where_nothing_can_be_written_none_is_started(harness: Harness) -> None:
    harness.environment["TIDINGS_HOME"] = "/proc/tidings-cannot-be-made"
    harness.hook(STOP)
    assert launched_in(harness.home) == []


def test_on_a_full_disk_none_is_started(harness: Harness) -> None:
    harness.hook(STOP, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    assert launched_in(harness.home) == []


def test_ten_megabytes_start_one_as_well(harness: Harness) -> None:
    harness.hook(tool("PermissionRequest", "x" * 10_000_000))
    assert is_launched(harness)


def through_shell(harness: Harness, command: str, given: Document) -> None:
    """The command as the client runs it."""
    harness.hook(given, "-c", command, command=("/bin/sh",))


def sign_of(harness: Harness) -> Path:
    """The sign that no dialog of this process is open."""
    return harness.events / f"{os.getpid()}.quiet"


@pytest.mark.case("SP2")
def test_without_an_interpreter_nothing_happens_and_nobody_is_told(harness: Harness) -> None:
    for command in (hook_command("/gone/python"), quiet_hook_command("/gone/python")):
        through_shell(harness, command, STOP)
    assert not harness.events.exists()


def test_with_the_quiet_sign_the_end_of_a_tool_call_starts_no_interpreter(harness: Harness) -> None:
    ran = harness.home / "ran"
    program = harness.home / "python"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    command = quiet_hook_command(str(program))
    through_shell(harness, command, tool("PostToolUse"))
    assert ran.exists(), "without the sign it runs"
    ran.unlink()
    harness.events.mkdir(parents=True)
    sign_of(harness).touch()
    through_shell(harness, command, tool("PostToolUse"))
    assert not ran.exists()


@pytest.mark.parametrize(
    "place",
    [
        {"TIDINGS_HOME": "{home}/a b"},
        {"XDG_STATE_HOME": "{home}/x"},
        {"TIDINGS_HOME": "", "XDG_STATE_HOME": ""},
        {},
    ],
)
def test_shell_and_hook_mean_the_same_sign(harness: Harness, place: dict[str, str]) -> None:
    """The sign is taken where the hook thinks it is, and seen where the shell thinks it is."""
    from tidings.entrypoints.hook import events_folder

    harness.environment |= {name: value.format(home=harness.home) for name, value in place.items()}
    folder = events_folder(harness.environment)
    assert folder is not None
    sign = Path(folder) / f"{os.getpid()}.quiet"
    sign.parent.mkdir(parents=True)
    sign.touch()
    through_shell(harness, quiet_hook_command(sys.executable), tool("PostToolUse"))
    assert not list(sign.parent.glob("*.jsonl"))
    through_shell(harness, hook_command(sys.executable), tool("PermissionRequest"))
    assert not sign.exists(), "an opening takes it"
    through_shell(harness, quiet_hook_command(sys.executable), tool("PostToolUse"))
    (spool,) = sign.parent.glob("*.jsonl")
    assert [event.name for event in harness.told(spool)] == ["PermissionRequest", "PostToolUse"]


def test_only_an_opening_takes_the_sign_while_somebody_listens(harness: Harness) -> None:
    bell = listen(str(harness.events), harness.spool.stem)
    sign_of(harness).touch()
    for name in ("UserPromptSubmit", "Stop", "SessionStart", "PostToolUse"):
        harness.hook(payload(name, prompt="x", tool_name="Bash", tool_input={}))
        assert sign_of(harness).exists(), name
    harness.hook(payload("Elicitation", mcp_server_name="elic"))
    assert not sign_of(harness).exists()
    bell.close()


def test_where_nobody_listens_any_event_takes_it(harness: Harness) -> None:
    """A resident that was killed leaves it behind."""
    harness.events.mkdir(parents=True)
    sign_of(harness).touch()
    harness.hook(STOP)
    assert not sign_of(harness).exists()


def test_a_large_payload_may_be_left_unread(harness: Harness) -> None:
    """The shell that ends on the sign reads nothing; the client's write then just fails."""
    harness.events.mkdir(parents=True)
    sign_of(harness).touch()
    done = subprocess.Popen(
        ["/bin/sh", "-c", quiet_hook_command(sys.executable)],
        stdin=subprocess.PIPE,
        env=harness.environment,
    )
    assert done.wait(20) == 0
    assert done.stdin is not None
    with pytest.raises(BrokenPipeError):
        os.write(done.stdin.fileno(), b"x" * 1_000_000)
    done.stdin.close()
