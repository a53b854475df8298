import json
from pathlib import Path

import pytest

from tidings.adapters.harnesses.claude_presence import ClaudePresence
from tidings.adapters.harnesses.claude_record import config_folder
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.presence_contract import SIGHTING, HarnessPresenceContract
from tidings.ports.presence import HarnessPresence, HarnessSighting


class TestClaudePresence(HarnessPresenceContract):
    @pytest.fixture(autouse=True)
    def fresh_registry(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "claude"
        (self.folder / "sessions").mkdir(parents=True)

    def make_presence(self) -> HarnessPresence:
        return ClaudePresence(folder=str(self.folder), codec=JsonCodec())

    def publish(self, sighting: HarnessSighting) -> None:
        record = {
            "pid": sighting.pid,
            "sessionId": sighting.session_id,
            "cwd": sighting.cwd,
            "procStart": sighting.start_ticks,
            "version": sighting.version,
            "kind": "interactive",
            "messagingSocketPath": sighting.socket_path,
            "name": sighting.name,
            "status": "idle",
            "peerFeatures": ["a-later-one"],
        }
        self.file(sighting.pid).write_text(json.dumps(record))

    def withdraw(self, pid: int) -> None:
        self.file(pid).unlink()

    def file(self, pid: int) -> Path:
        return self.folder / "sessions" / f"{pid}.json"

    def test_a_record_that_names_another_pid_is_no_sighting(self) -> None:
        self.publish(SIGHTING)
        self.file(SIGHTING.pid).rename(self.file(12))
        assert self.make_presence().at(12) is None

    def test_without_a_home_nobody_is_sighted(self) -> None:
        assert ClaudePresence(folder="", codec=JsonCodec()).at(SIGHTING.pid) is None


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"CLAUDE_CONFIG_DIR": "/c", "HOME": "/h"}, "/c"),
        ({"HOME": "/h"}, "/h/.claude"),
        ({"CLAUDE_CONFIG_DIR": "relative", "HOME": "/h"}, "/h/.claude"),
        ({"HOME": "relative"}, ""),
        ({}, ""),
    ],
)
def test_where_the_client_keeps_its_records(environment: dict[str, str], folder: str) -> None:
    assert config_folder(environment) == folder
