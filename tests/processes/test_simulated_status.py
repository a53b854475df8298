"""What a simulated session publishes of itself, and when (H 2, H 3, H 9, H 11)."""

import json
import os
import stat
import subprocess
from pathlib import Path
from typing import cast

import pytest

from support.simulated import simulated
from support.waiting import until
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.simulated.kernel import start_ticks
from tidings.ports.codec import Document

_RECORDED = {
    "pid",
    "sessionId",
    "cwd",
    "startedAt",
    "procStart",
    "version",
    "peerProtocol",
    "peerFeatures",
    "kind",
    "entrypoint",
    "pidDomain",
    "messagingSocketPath",
    "name",
    "nameSource",
    "nameSince",
    "updatedAt",
    "status",
    "statusUpdatedAt",
}


def _record(harness: SimulatedHarness) -> Document:
    text = (harness.home / ".claude" / "sessions" / f"{harness.pid}.json").read_text()
    return cast("Document", json.loads(text))


def _agents(harness: SimulatedHarness) -> list[Document]:
    done = subprocess.run(
        [harness.claude_command, "agents", "--json"], capture_output=True, timeout=5, check=True
    )
    return cast("list[Document]", json.loads(done.stdout))


def test_the_record_has_the_recorded_fields_and_the_kernels_start(tmp_path: Path) -> None:
    """H 3 registry: 0644 in a 0700 folder; the key beside it 0600."""
    with simulated(tmp_path, name="builder") as harness:
        record = _record(harness)
        assert set(record) == _RECORDED
        assert record["procStart"] == start_ticks(harness.pid)
        assert (record["name"], record["nameSource"]) == ("builder", "user")
        assert record["messagingSocketPath"] == str(harness.socket_path)
        folder = harness.home / ".claude" / "sessions"
        modes = {path.suffix: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
        assert modes == {".json": 0o644, ".key": 0o600}
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_without_a_name_it_is_called_after_its_folder(tmp_path: Path) -> None:
    """H 11: folder and a number."""
    with simulated(tmp_path, name="") as harness:
        assert str(_record(harness)["name"]).startswith("proj-")
        assert _record(harness)["nameSource"] != "user"


def test_agents_shows_every_living_session_of_the_home_and_no_dead_one(tmp_path: Path) -> None:
    """H 3 the supported view has no socket path; H 11 its fields."""
    with simulated(tmp_path, name="api") as api, simulated(tmp_path, name="front") as front:
        shown = {agent["name"]: agent for agent in _agents(api)}
        assert set(shown) == {"api", "front"}
        assert shown["api"]["pid"] == api.pid
        assert set(shown["api"]) == {
            "pid",
            "cwd",
            "kind",
            "startedAt",
            "sessionId",
            "name",
            "status",
        }
        front.crash()
        assert (front.home / ".claude" / "sessions" / f"{front.pid}.json").exists()
        assert [agent["name"] for agent in _agents(api)] == ["api"]


def test_other_words_for_the_command_are_a_usage_error(tmp_path: Path) -> None:
    with simulated(tmp_path) as harness:
        for words in (["agents"], ["doctor"], []):
            done = subprocess.run(
                [harness.claude_command, *words], capture_output=True, timeout=5, check=False
            )
            assert (done.returncode, done.stdout) == (2, b"")
        version = subprocess.check_output([harness.claude_command, "--version"], timeout=5)
        assert version.startswith(b"2.1.332")


@pytest.mark.parametrize("dialog", ["permission_dialog", "question", "elicitation"])
def test_an_open_dialog_is_published_as_waiting_and_a_denied_one_as_idle(
    tmp_path: Path, dialog: str
) -> None:
    """H 2 and H 9: published by record and command alike; a denial goes straight to idle."""
    with simulated(tmp_path) as harness:
        assert _record(harness)["status"] == "idle"
        getattr(harness, dialog)()
        assert (_record(harness)["status"], _agents(harness)[0]["status"]) == ("waiting", "waiting")
        assert _record(harness)["waitingFor"] == _agents(harness)[0]["waitingFor"]
        harness.deny()
        until(lambda: _record(harness)["status"] == "idle", what="idle")
        assert "waitingFor" not in _record(harness)


def test_an_approved_long_command_turns_the_status_busy_at_once(tmp_path: Path) -> None:
    """H 11: waiting, busy 0.1 s after the approval, idle at the end."""
    with simulated(tmp_path) as harness:
        harness.permission_dialog()
        harness.approve_long_command()
        assert _record(harness)["status"] == "busy"
        harness.finish()
        until(lambda: _record(harness)["status"] == "idle", what="idle")


def test_clear_keeps_process_and_socket_and_changes_the_session_id(tmp_path: Path) -> None:
    """H 2 /clear."""
    with simulated(tmp_path) as harness:
        before = _record(harness)
        harness.clear()
        after = _record(harness)
        assert before["sessionId"] != after["sessionId"] == harness.session_id
        assert before["messagingSocketPath"] == after["messagingSocketPath"]
        names = harness.traces.event_names()
        assert names == ["SessionStart", "SessionEnd", "SessionStart"]


def test_a_reader_never_sees_half_a_record(tmp_path: Path) -> None:
    with simulated(tmp_path) as harness:
        for _ in range(5):
            harness.prompt("hi")
            while harness.view().status != "idle":
                assert set(_record(harness)) >= _RECORDED
        assert os.listdir(harness.home / ".claude" / "sessions")
