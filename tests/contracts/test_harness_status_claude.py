import json
import os
import time
from pathlib import Path

import pytest

from tidings.adapters.harnesses.claude_status import ClaudeStatus, kernel_start_ticks
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.harness_status_contract import HarnessStatusContract
from tidings.ports.harness_status import HarnessStatus, StatusSeen, StatusUnreadable


class TestClaudeStatus(HarnessStatusContract):
    """The client is a shell script that prints the list which ``publish`` wrote."""

    @pytest.fixture(autouse=True)
    def fresh_harness(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "claude"
        self.record = self.folder / "sessions" / f"{os.getpid()}.json"
        self.record.parent.mkdir(parents=True)
        self.list = tmp_path / "agents.json"
        self.list.write_text("[]")
        self.command = tmp_path / "client"
        self.write_client(f'[ "$*" = "agents --json" ] && exec cat {self.list}')

    def write_client(self, line: str) -> None:
        self.command.write_text(f"#!/bin/sh\n{line}\n")
        self.command.chmod(0o700)

    def make_status(self) -> HarnessStatus:
        return ClaudeStatus(folder=str(self.folder), codec=JsonCodec(), command=[str(self.command)])

    def pid(self) -> int:
        return os.getpid()

    def publish(self, word: str, *, waiting_for: str = "", session_id: str = "s-1") -> None:
        row = {"pid": self.pid(), "sessionId": session_id, "status": word}
        row |= {"waitingFor": waiting_for} if waiting_for else {}
        record = row | {"procStart": kernel_start_ticks(self.pid())}
        self.record.write_text(json.dumps(record))
        self.list.write_text(json.dumps([{"pid": 1}, "noise", row]))

    def withdraw(self) -> None:
        self.record.unlink()
        self.list.write_text("[]")

    def test_a_word_we_do_not_know_is_unreadable(self) -> None:
        self.publish("dreaming")
        assert isinstance(self.make_status().glance(self.pid()), StatusUnreadable)
        assert isinstance(self.make_status().confirm(self.pid()), StatusUnreadable)

    @pytest.mark.parametrize(
        "change",
        [{"procStart": "1"}, {"procStart": None}, {"pid": 1}, {"status": 3}, {"sessionId": None}],
    )
    def test_the_record_of_another_process_or_form_is_no_glance(
        self, change: dict[str, object]
    ) -> None:
        self.publish("idle")
        record = json.loads(self.record.read_text()) | change
        self.record.write_text(json.dumps(record))
        assert isinstance(self.make_status().glance(self.pid()), StatusUnreadable)

    def test_a_start_written_as_a_number_is_the_same_start(self) -> None:
        self.publish("busy")
        record = json.loads(self.record.read_text())
        record["procStart"] = int(record["procStart"])
        self.record.write_text(json.dumps(record))
        assert isinstance(self.make_status().glance(self.pid()), StatusSeen)

    @pytest.mark.parametrize("plant", ["torn", "large", "link", "fifo"])
    def test_whatever_lies_in_the_records_place_is_no_glance(
        self, plant: str, tmp_path: Path
    ) -> None:
        self.publish("idle")
        text = self.record.read_text()
        self.record.unlink()
        match plant:
            case "torn":
                self.record.write_text(text[:-3])
            case "large":
                self.record.write_text(text[:-1] + " " * 65_536 + "}")
            case "link":
                (tmp_path / "elsewhere").write_text(text)
                self.record.symlink_to(tmp_path / "elsewhere")
            case _:
                os.mkfifo(self.record)
        assert isinstance(self.make_status().glance(self.pid()), StatusUnreadable)

    @pytest.mark.parametrize(
        "line", ["exit 3", "echo {}", "echo '['", "echo '[{\"pid\":'", "exec 1>&-"]
    )
    def test_an_answer_that_is_no_list_confirms_nothing(self, line: str) -> None:
        self.write_client(line)
        assert isinstance(self.make_status().confirm(self.pid()), StatusUnreadable)

    def test_a_client_that_is_not_there_confirms_nothing(self) -> None:
        self.command.unlink()
        assert isinstance(self.make_status().confirm(self.pid()), StatusUnreadable)

    def test_a_client_that_hangs_is_ended(self) -> None:
        self.write_client("exec sleep 60")
        status = ClaudeStatus(
            folder=str(self.folder),
            codec=JsonCodec(),
            command=[str(self.command)],
            confirm_seconds=0.2,
        )
        begun = time.monotonic()
        assert isinstance(status.confirm(self.pid()), StatusUnreadable)
        assert time.monotonic() - begun < 5

    def test_the_client_is_not_shown_the_session_it_is_asked_from(self, tmp_path: Path) -> None:
        self.write_client(f"env > {tmp_path}/seen; exec cat {self.list}")
        status = ClaudeStatus(
            folder=str(self.folder),
            codec=JsonCodec(),
            command=[str(self.command)],
            environment={
                "PATH": os.environ["PATH"],
                "CLAUDE_CONFIG_DIR": "/kept",
                "CLAUDE_PID": "1",
                "CLAUDE_CODE_MESSAGING_TOKEN": "secret",
                "CLAUDECODE": "1",
            },
        )
        self.publish("idle")
        assert isinstance(status.confirm(self.pid()), StatusSeen)
        seen = (tmp_path / "seen").read_text()
        assert "CLAUDE_CONFIG_DIR=/kept" in seen
        assert not [word for word in ("secret", "CLAUDE_PID", "CLAUDECODE") if word in seen]
