"""How a simulated session starts, goes on and ends (H 2)."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.simulated import configure_hooks, simulated
from support.waiting import until
from tidings.entrypoints.simulated.script import Say, to_document
from tidings.entrypoints.simulated.view import HarnessGone


def _left(folder: Path) -> list[str]:
    return sorted(os.listdir(folder)) if folder.exists() else []


def test_it_is_up_within_a_second(tmp_path: Path) -> None:
    began = time.monotonic()
    with simulated(tmp_path):
        assert time.monotonic() - began < 1.0


def test_one_that_cannot_come_up_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "bin").write_text("in the way")
    harness = simulated(tmp_path)
    with pytest.raises(HarnessGone, match="NotADirectoryError"):
        harness.start()
    assert not harness.is_alive


def test_an_orderly_exit_takes_record_key_and_socket_along(tmp_path: Path) -> None:
    """H 2 /exit."""
    with simulated(tmp_path) as harness:
        harness.exit()
        assert not harness.is_alive
        assert _left(harness.home / ".claude" / "sessions") == []
        assert _left(harness.socket_path.parent) == []
        assert harness.traces.event_names()[-1] == "SessionEnd"
        with pytest.raises(HarnessGone):
            harness.view()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_it_in_order(tmp_path: Path, number: signal.Signals) -> None:
    """H 2: SessionEnd with reason other."""
    with simulated(tmp_path) as harness:
        os.kill(harness.pid, number)
        until(lambda: not harness.is_alive, what="its end")
        last = harness.traces.events()[-1]
        assert last["event"] == "SessionEnd"
        assert '"reason": "other"' in json.dumps(last)
        assert _left(harness.home / ".claude" / "sessions") == []


def test_a_crash_leaves_everything_behind_and_fires_nothing(tmp_path: Path) -> None:
    """H 2 SIGKILL."""
    with simulated(tmp_path) as harness:
        harness.crash()
        assert harness.traces.event_names() == ["SessionStart"]
        assert len(_left(harness.home / ".claude" / "sessions")) == 2
        assert harness.socket_path.exists()


def test_a_resumed_conversation_keeps_its_id_and_transcript(tmp_path: Path) -> None:
    """H 2 --resume: SessionStart resume, the same session_id, another process."""
    with simulated(tmp_path) as harness:
        harness.prompt("one", Say(text="first"))
        harness.wait_idle()
        before = harness.last
        harness.crash()
        harness.resume()
        assert harness.session_id == before.session_id
        assert harness.pid != before.pid
        assert harness.last.transcript_path == before.transcript_path
        assert '"source": "resume"' in json.dumps(harness.traces.events()[-1])
        harness.prompt("two")
        harness.wait_idle()
        assert len(harness.transcript()) == 8


def test_a_driver_that_goes_away_takes_the_session_along(tmp_path: Path) -> None:
    """The closed channel is the closed terminal of H 2: nothing outlives its test."""
    configure_hooks(tmp_path, {"SessionEnd": f"touch {tmp_path}/ended"})
    harness = simulated(tmp_path).start()
    harness.busy()
    harness.close()
    assert (tmp_path / "ended").exists()
    assert not harness.is_alive


def test_a_command_of_the_model_is_a_real_child_with_the_clients_variables(tmp_path: Path) -> None:
    """H 2: the Bash tool's shell has the hook's environment."""
    with simulated(tmp_path) as harness:
        ran = harness.command("echo $CLAUDE_PID $PPID; echo oops >&2; exit 3")
        assert ran.output == f"{harness.pid} {harness.pid}\n"
        assert (ran.errors, ran.exit_code) == ("oops\n", 3)


def test_it_runs_alone_from_a_script_of_commands(tmp_path: Path) -> None:
    commands = [
        {"do": "prompt", "text": "hi", "steps": [to_document(Say(text="hello"))]},
        {"do": "wait", "status": "idle"},
        {"do": "exit"},
    ]
    script = tmp_path / "script.jsonl"
    script.write_text("\n".join(json.dumps(command) for command in commands))
    home = tmp_path / "home"
    words = ["--home", home, "--cwd", tmp_path, "--socket-base", tmp_path, "--script", script]
    subprocess.run(
        [sys.executable, "-I", "-m", "tidings.entrypoints.simulated", *map(str, words)],
        timeout=10,
        check=True,
    )
    (requests,) = home.glob("model-requests-*.jsonl")
    assert len(requests.read_text().splitlines()) == 1


@pytest.mark.parametrize("words", [[], ["--home", "/tmp"], ["--home", "h", "--cwd", "c", "--what"]])
def test_words_it_does_not_know_are_a_usage_error(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "tidings.entrypoints.simulated", *words],
        capture_output=True,
        timeout=10,
        check=False,
    )
    assert done.returncode == 2
