"""A plugin monitor of a simulated session (H 4, H 9, H 11)."""

import os
from pathlib import Path
from typing import cast

import pytest

from support.simulated import frame, simulated
from support.waiting import until
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.simulated.options import PermissionMode
from tidings.ports.codec import Document


def _prompts(harness: SimulatedHarness) -> list[str]:
    payloads = [cast("Document", line["payload"]) for line in harness.traces.events()]
    return [str(payload["prompt"]) for payload in payloads if "prompt" in payload]


def _monitor_pid(harness: SimulatedHarness) -> int:
    return harness.wait_until(lambda view: view.monitor_pid, "the monitor").monitor_pid


def test_it_is_a_quiet_live_child_that_learns_what_a_hook_learns(tmp_path: Path) -> None:
    """H 9: CLAUDE_PID, session, socket, token, and the version in two variables; H 4 its cwd."""
    command = (
        f"env > {tmp_path}/env; pwd > {tmp_path}/cwd; echo $PPID > {tmp_path}/ppid; exec sleep 60"
    )
    with simulated(tmp_path, monitor=command) as harness:
        until(lambda: (tmp_path / "ppid").exists() and (tmp_path / "ppid").read_text(), what="it")
        assert int((tmp_path / "ppid").read_text()) == harness.pid
        lines = (tmp_path / "env").read_text().splitlines()
        environment = dict(line.split("=", 1) for line in lines if "=" in line)
        assert environment["CLAUDE_PID"] == str(harness.pid)
        assert environment["CLAUDE_CODE_SESSION_ID"] == harness.session_id
        assert environment["CLAUDE_CODE_MESSAGING_SOCKET"] == str(harness.socket_path)
        assert environment["AI_AGENT"] == "claude-code_2-1-332_agent"
        assert environment["CLAUDE_CODE_EXECPATH"] == str(harness.claude_command)
        assert {"CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA"} <= set(environment)
        assert (tmp_path / "cwd").read_text().strip() == str(harness.cwd)
        assert harness.view().requests == 0


def test_a_line_starts_a_turn_before_any_prompt_and_many_lines_one(tmp_path: Path) -> None:
    """H 4: a notification whose text the prompt hook sees; 30 lines at once are one turn."""
    with simulated(tmp_path, monitor="seq 30; exec sleep 60") as harness:
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        (prompt,) = _prompts(harness)
        assert 'Monitor event: "tidings"' in prompt
        assert "<event>1\n2\n" in prompt
        assert harness.traces.times_read("NOT USER INPUT") == 1


def test_a_long_line_is_cut_at_500_utf16_units_and_nobody_is_told(tmp_path: Path) -> None:
    """H 11: whole up to 500, then cut with a mark."""
    for length in (500, 501):
        (tmp_path / f"{length}").write_text("\U0001f514" + "x" * (length - 2) + "\n")
    command = f"cat {tmp_path}/500 {tmp_path}/501; exec sleep 60"
    with simulated(tmp_path, monitor=command) as harness:
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        whole, cut = _prompts(harness)[0].partition("<event>")[2].splitlines()[:2]
        assert whole == "\U0001f514" + "x" * 498
        assert cut.startswith("\U0001f514" + "x" * 498 + "...(truncated)")


@pytest.mark.parametrize(
    ("code", "status", "how"),
    [(0, "completed", "ended without producing output (exit 0)"), (3, "failed", "(exit 3)")],
)
def test_a_monitor_that_ends_wakes_the_model_whatever_its_code(
    tmp_path: Path, code: int, status: str, how: str
) -> None:
    """H 9: a turn with a notification; H 4: it is not started again."""
    with simulated(tmp_path, monitor=f"exit {code}") as harness:
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        (prompt,) = _prompts(harness)
        assert f"<status>{status}</status>" in prompt
        assert how in prompt
        assert harness.last.monitor_pid == 0


def test_it_survives_clear_and_gets_sigterm_at_the_end(tmp_path: Path) -> None:
    """H 4."""
    command = f"trap 'echo bye > {tmp_path}/bye; exit' TERM; while :; do sleep 0.05; done"
    with simulated(tmp_path, monitor=command) as harness:
        pid = _monitor_pid(harness)
        harness.clear()
        assert _monitor_pid(harness) == pid
        harness.exit()
        assert (tmp_path / "bye").exists()
        assert not os.path.exists(f"/proc/{pid}")


def test_a_killed_harness_orphans_its_monitor_until_the_driver_closes(tmp_path: Path) -> None:
    with simulated(tmp_path, monitor="exec sleep 60") as harness:
        pid = _monitor_pid(harness)
        harness.crash()
        assert os.path.exists(f"/proc/{pid}")
    until(lambda: not _runs(pid), what="the orphan's end")


def test_in_bypass_mode_a_monitor_is_trusted(tmp_path: Path) -> None:
    """H 9: a monitor's frame and its line are delivered under bypassPermissions."""
    script = tmp_path / "post.py"
    script.write_text(
        "import os,socket\n"
        "s=socket.socket(socket.AF_UNIX); s.connect(os.environ['CLAUDE_CODE_MESSAGING_SOCKET'])\n"
        f"s.sendall({frame('from the monitor')!r})\n"
        "print('a line', flush=True)\n"
        "s.recv(1)\n"
    )
    import sys

    command = f"exec {sys.executable} -I {script}"
    with simulated(tmp_path, mode=PermissionMode.BYPASS, monitor=command) as harness:
        harness.wait_until(
            lambda _view: (
                harness.traces.times_read("from the monitor")
                and harness.traces.times_read("a line")
            ),
            "both",
        )
        assert harness.last.held == ()


def _runs(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
