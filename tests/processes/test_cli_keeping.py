"""``tidings message history|integrity|backup`` as real processes (D31, D35)."""

import json
import sqlite3
from pathlib import Path

import pytest

from support.office import TIDINGS, Said, run
from tidings import Refused, Tidings
from tidings.adapters.wire.published import BackedUp, Exported, HistoryLine, Integrity
from tidings.domain.messages.room import StoreLimits
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import SystemPorts
from tidings.entrypoints.places import find_places


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A state folder whose store holds two messages; two more have left it."""
    folder = tmp_path / "state"
    ports = SystemPorts(find_places({}, home=str(folder)), {})
    with Tidings(Application(ports, limits=StoreLimits(records=2))) as tidings:
        target, sender = tidings.join("target"), tidings.join("sender")
        for number in range(4):
            target.arm()
            assert not isinstance(sender.send("target", "secret", ref=f"job-{number}"), Refused)
            target.disarm()
    return folder


def say(home: Path, *words: str) -> Said:
    environment = {"HOME": str(home.parent), "TIDINGS_HOME": str(home)}
    return run([*TIDINGS, "message", *words], environment=environment, stdin=b"", cwd=home.parent)


def test_history_is_shown_exported_and_never_tells_a_text(home: Path) -> None:
    said = say(home, "history")
    assert (said.code, said.err) == (0, "")
    assert [line.split()[0] for line in said.out.splitlines()] == ["REF", "job-0", "job-1"]
    rows = [HistoryLine.model_validate_json(line) for line in say_lines(home)]
    assert [row.line["messageRef"] for row in rows] == ["job-0", "job-1"]
    done = say(home, "history", "--export", "kept.jsonl", "--json")
    assert Exported.model_validate_json(done.out).exported == 2
    text = (home.parent / "kept.jsonl").read_text()
    assert [json.loads(line)["messageRef"] for line in text.splitlines()] == ["job-0", "job-1"]
    assert "secret" not in text + said.out


def say_lines(home: Path) -> list[str]:
    return say(home, "history", "--json").out.splitlines()


def test_integrity_ends_with_7_where_a_row_is_wrong(home: Path) -> None:
    assert say(home, "integrity").out == "the store is sound\n"
    with sqlite3.connect(home / "tidings.db") as connection:
        connection.execute("UPDATE messages SET ttl_ns = 7 WHERE ref = 'job-3'")
    connection.close()
    said = say(home, "integrity", "--json")
    found = Integrity.model_validate_json(said.out)
    assert (said.code, found.sound, len(found.problems)) == (7, False, 1)
    assert "job-3" in found.problems[0]


def test_a_backup_is_a_store_of_its_own_and_replaces_nothing(home: Path) -> None:
    said = say(home, "backup", "copy.db", "--json")
    copy = Path(BackedUp.model_validate_json(said.out).backup)
    assert (said.code, copy) == (0, home.parent / "copy.db")
    (home.parent / "second").mkdir()
    copy.rename(home.parent / "second" / "tidings.db")
    assert say(home.parent / "second", "integrity").code == 0
    (home.parent / "copy.db").write_text("mine")
    again = say(home, "backup", "copy.db")
    assert (again.code, again.out) == (7, "")
    assert "copy.db" in again.err
    assert (home.parent / "copy.db").read_text() == "mine"
