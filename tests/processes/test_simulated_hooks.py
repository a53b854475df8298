"""Hooks of a simulated session are real children, as measured (H 2, H 9, H 11)."""

import json
import os
import sys
import time
from pathlib import Path
from typing import cast

import pytest

from support.simulated import configure_hooks, frame, post, simulated
from support.waiting import until
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.simulated.script import UseTool
from tidings.ports.codec import Document

_LOGGER = """
import json, os, sys
line = {"event": sys.argv[2], "stdin": json.load(sys.stdin), "env": dict(os.environ),
        "parent": os.getppid(), "leads": os.getsid(0) == os.getpid(), "cwd": os.getcwd()}
try:
    os.close(os.open("/dev/tty", os.O_RDWR)); line["tty"] = True
except OSError:
    line["tty"] = False
with open(sys.argv[1], "a") as log:
    log.write(json.dumps(line) + "\\n")
"""

_MESSAGING = {"CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN"}


def _logger(folder: Path, event: str, *, start: str = "exec ") -> str:
    script = folder / "logger.py"
    script.write_text(_LOGGER)
    return f"{start}{sys.executable} -I {script} {folder / 'hooks.log'} {event}"


def _logged(folder: Path) -> list[Document]:
    log = folder / "hooks.log"
    lines = log.read_text().splitlines() if log.exists() else []
    return [cast("Document", json.loads(line)) for line in lines]


def _events(folder: Path) -> list[str]:
    return [str(line["event"]) for line in _logged(folder)]


def _names(harness: SimulatedHarness) -> list[str]:
    return harness.traces.event_names()


def test_a_hook_is_a_session_leader_whose_parent_is_the_harness(tmp_path: Path) -> None:
    """H 2 environment and process; H 9: with ``exec`` the parent is CLAUDE_PID itself."""
    configure_hooks(tmp_path, {"UserPromptSubmit": _logger(tmp_path, "UserPromptSubmit")})
    with simulated(tmp_path) as harness:
        harness.prompt("hi")
        harness.wait_idle()
        (line,) = _logged(tmp_path)
        environment = cast("dict[str, str]", line["env"])
        assert line["parent"] == harness.pid
        assert (line["leads"], line["tty"], line["cwd"]) == (True, False, str(harness.cwd))
        assert environment["CLAUDE_PID"] == str(harness.pid)
        assert environment["CLAUDE_CODE_SESSION_ID"] == harness.session_id
        assert environment["CLAUDE_CODE_MESSAGING_SOCKET"] == str(harness.socket_path)
        assert environment["CLAUDE_PROJECT_DIR"] == str(harness.cwd)
        assert environment["AI_AGENT"] == "claude-code_2-1-332_harness"
        assert environment["CLAUDECODE"] == "1"
        assert len(environment["CLAUDE_CODE_MESSAGING_TOKEN"]) == 32


def test_stdin_has_the_recorded_shape(tmp_path: Path) -> None:
    """H 2 payload: the fields of the recorded UserPromptSubmit, and a named session's title."""
    configure_hooks(tmp_path, {"UserPromptSubmit": _logger(tmp_path, "UserPromptSubmit")})
    with simulated(tmp_path, name="builder") as harness:
        harness.prompt("hi")
        harness.wait_idle()
        stdin = cast("Document", _logged(tmp_path)[0]["stdin"])
        assert set(stdin) == {
            "session_id",
            "transcript_path",
            "cwd",
            "prompt_id",
            "permission_mode",
            "hook_event_name",
            "prompt",
            "session_title",
        }
        assert stdin["prompt"] == "hi"
        assert Path(str(stdin["transcript_path"])).exists()


def test_the_last_session_end_knows_no_socket_and_clears_does(tmp_path: Path) -> None:
    """H 2: the exit-time SessionEnd has no messaging variables; SessionEnd clear has them."""
    configure_hooks(tmp_path, {"SessionEnd": _logger(tmp_path, "SessionEnd")})
    with simulated(tmp_path) as harness:
        harness.clear()
        harness.exit()
    cleared, ended = _logged(tmp_path)
    assert cast("Document", cleared["stdin"])["reason"] == "clear"
    assert cast("Document", ended["stdin"])["reason"] == "prompt_input_exit"
    assert set(cast("Document", cleared["env"])) >= _MESSAGING
    assert not set(cast("Document", ended["env"])) & _MESSAGING


def test_a_blocking_prompt_hook_keeps_the_prompt_from_the_model(tmp_path: Path) -> None:
    """H 11: exit 2 refuses the prompt, no model request; a missing script exits 2 as well."""
    configure_hooks(tmp_path, {"UserPromptSubmit": f"exec {sys.executable} {tmp_path}/gone.py"})
    with simulated(tmp_path) as harness:
        harness.prompt("hi")
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        assert harness.last.requests == 0
        assert _names(harness) == ["SessionStart", "UserPromptSubmit"]


def test_a_missing_module_exits_one_and_blocks_nothing(tmp_path: Path) -> None:
    """H 11: a missing ``-m`` module exits 1 and does not block."""
    configure_hooks(tmp_path, {"UserPromptSubmit": f"exec {sys.executable} -I -m no_such_module"})
    with simulated(tmp_path) as harness:
        harness.prompt("hi")
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        assert harness.last.requests == 1


def test_a_blocking_tool_hook_keeps_the_tool_from_running(tmp_path: Path) -> None:
    """H 11: exit 2 of PreToolUse: tool not run, the turn goes on."""
    configure_hooks(tmp_path, {"PreToolUse": "echo no such thing >&2; exit 2"})
    with simulated(tmp_path) as harness:
        harness.prompt("go", UseTool(runs=True, tool_input={"command": "touch made"}))
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        assert not (harness.cwd / "made").exists()
        assert "PostToolUse" not in _names(harness)
        assert _names(harness)[-1] in {"Stop", "MessageDisplay"}
        assert harness.traces.times_read("no such thing") == 1


def test_a_stop_hook_that_always_blocks_is_given_up_after_nine_stops(tmp_path: Path) -> None:
    """H 2: Stop exit 2 continues the turn, nine times."""
    configure_hooks(tmp_path, {"Stop": "echo go on >&2; exit 2"})
    with simulated(tmp_path) as harness:
        harness.prompt("hi")
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        assert _names(harness).count("Stop") == 9


@pytest.mark.parametrize(
    ("behavior", "last"), [("allow", "PostToolUse"), ("deny", "PermissionRequest")]
)
def test_a_permission_hook_may_answer_before_the_operator(
    tmp_path: Path, behavior: str, last: str
) -> None:
    """H 2 decisions: allow and deny work; a hook's denial still ends with Stop."""
    decision = {"hookSpecificOutput": {"decision": {"behavior": behavior}}}
    configure_hooks(tmp_path, {"PermissionRequest": f"echo '{json.dumps(decision)}'"})
    with simulated(tmp_path) as harness:
        harness.prompt("go", UseTool(asks=True))
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        names = [name for name in _names(harness) if name not in ("MessageDisplay", "Stop")]
        assert names[-2:] == [last, "PostToolBatch"]
        assert "Stop" in _names(harness)


def test_a_slow_permission_hook_ends_after_stop(tmp_path: Path) -> None:
    """H 11: hooks of different events race; their order of arrival proves nothing."""
    events = ("PermissionRequest", "PostToolUse", "Stop")
    configure_hooks(tmp_path, {event: _logger(tmp_path, event) for event in events})
    with simulated(tmp_path) as harness:
        harness.delay_hook("PermissionRequest", 0.6)
        harness.permission_dialog()
        harness.allow()
        until(lambda: len(_events(tmp_path)) == 3, what="three hooks")
        assert _events(tmp_path) == ["PostToolUse", "Stop", "PermissionRequest"]
        assert _names(harness).index("PermissionRequest") < _names(harness).index("PostToolUse")


def test_a_hook_beyond_its_timeout_is_ended_by_group_and_the_call_goes_on(tmp_path: Path) -> None:
    """H 2 timeouts: SIGTERM, SIGKILL half a second later, then the call fails open."""
    stubborn = f"trap '' TERM; echo $$ > {tmp_path}/pid; sleep 30"
    configure_hooks(tmp_path, {"PreToolUse": stubborn}, timeout_seconds=0.3)
    with simulated(tmp_path) as harness:
        began = time.monotonic()
        harness.prompt("go", UseTool())
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        assert 0.7 < time.monotonic() - began < 3.0
        assert "PostToolUse" in _names(harness)
        pid = int((tmp_path / "pid").read_text())
        until(lambda: not _exists(pid), what="the hook's end")


def test_a_session_end_hook_without_a_timeout_gets_a_second_and_a_half(tmp_path: Path) -> None:
    """H 2: SessionEnd without ``timeout`` is stopped after 1.5 s."""
    configure_hooks(tmp_path, {"SessionEnd": "sleep 30"})
    with simulated(tmp_path) as harness:
        began = time.monotonic()
        harness.exit()
        assert 1.4 < time.monotonic() - began < 3.5


def test_a_hook_added_later_is_live_at_once_and_broken_settings_run_nothing(tmp_path: Path) -> None:
    """H 10: a hook added to settings.json needs no restart."""
    with simulated(tmp_path) as harness:
        configure_hooks(tmp_path, {"UserPromptSubmit": _logger(tmp_path, "late")})
        post(harness.socket_path, frame("one"))
        until(lambda: _events(tmp_path) == ["late"], what="the hook")
        harness.wait_idle()
        (tmp_path / "home" / ".claude" / "settings.json").write_text("{")
        harness.prompt("two")
        harness.wait_until(lambda view: view.turns == 2, "the turn")
        assert _events(tmp_path) == ["late"]


def test_context_of_a_hook_reaches_the_model(tmp_path: Path) -> None:
    """H 2: additionalContext arrives as a system message in the same request."""
    said = {"hookSpecificOutput": {"additionalContext": "two messages wait"}}
    configure_hooks(tmp_path, {"UserPromptSubmit": f"echo '{json.dumps(said)}'"})
    with simulated(tmp_path) as harness:
        harness.prompt("hi")
        harness.wait_idle()
        assert harness.traces.times_read("two messages wait") == 1
        assert harness.last.requests == 1


def _exists(pid: int) -> bool:
    return os.path.exists(f"/proc/{pid}/stat")
