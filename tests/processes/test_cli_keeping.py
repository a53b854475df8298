"""``tidings message history|integrity|backup`` as real processes (D31, D35)."""

import json
import os
import sqlite3
from pathlib import Path

import pytest

from support.office import TIDINGS, Said, run
from tidings import Refused, StateUnreadable, Tidings
from tidings.adapters.wire.published import BackedUp, Exported, HistoryLine, Integrity, PastMessage
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
    return tell(home, "message", *words)


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


@pytest.mark.parametrize("verb", [("show",), ("message", "status")])
def test_a_message_that_left_is_shown_from_history(verb: tuple[str, ...], home: Path) -> None:
    said = tell(home, *verb, "job-0")
    assert (said.code, said.err) == (0, "")
    first, second = said.out.splitlines()
    assert first.startswith("job-0  refused  target \u00b7 left the store 2")
    assert first.endswith("(capacity); its text is gone")
    assert second.startswith("  consent-withdrawn: ")
    assert "secret" not in said.out
    shown = PastMessage.model_validate_json(tell(home, *verb, "job-0", "--json").out)
    assert (shown.ref, shown.state, shown.left_because) == ("job-0", "refused", "capacity")
    assert shown.exit_code == 5


def test_what_else_is_asked_of_a_message_that_left_names_show(home: Path) -> None:
    assert tell(home, "message", "status", "job-0", "--exit-state").code == 5
    assert tell(home, "message", "explain", "job-0").out.startswith("job-0  consent-withdrawn")
    for verb in ("cancel", "retry", "thread"):
        said = tell(home, "message", verb, "job-0")
        assert (said.code, said.out) == (3, "")
        assert "job-0 has left the store" in said.err
        assert "`tidings show job-0`" in said.err


def tell(home: Path, *words: str) -> Said:
    environment = {"HOME": str(home.parent), "TIDINGS_HOME": str(home)}
    return run([*TIDINGS, *words], environment=environment, stdin=b"", cwd=home.parent)


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


def test_a_wrong_limit_stops_what_would_store_and_nothing_else(home: Path) -> None:
    config = home.parent / "config.toml"
    config.write_text("[store]\nrecords = 0\n")
    config.chmod(0o600)
    environment = {"HOME": str(home.parent), "TIDINGS_HOME": str(home)}
    environment["TIDINGS_CONFIG"] = str(config)

    def words(*verb: str) -> Said:
        return run([*TIDINGS, *verb], environment=environment, stdin=b"", cwd=home.parent)

    with Tidings.open(str(home)) as tidings:
        tidings.join("listener").arm()
        said = words("send", "listener", "--", "hello")
        assert (said.code, said.out) == (7, "")
        assert f"{config}: store.records is not a whole number of at least 1" in said.err
        assert words("ls").code == 0
        assert words("show", "job-0").code == 0
        config.write_text("[store]\nrecords = 3\n")
        assert words("send", "listener", "--", "hello").code == 0


def test_an_export_is_read_without_the_store(home: Path) -> None:
    assert say(home, "history", "--export", "kept.jsonl").code == 0
    shown = say(home, "history").out
    rows = say(home, "history", "--json").out
    file = home.parent / "kept.jsonl"
    with file.open("a") as export:
        export.write('{"messageRef": "job-9", "state": "\\u001b[2Jred"}\n{"messageRef": "torn')
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    for path in home.iterdir():  # whatever is asked of the store now is an error
        path.unlink() if path.is_file() else None
    (home / "tidings.db").write_text("no database")
    kept = sorted(home.iterdir())
    said = say(home, "history", "--file", "kept.jsonl")
    assert (said.code, said.out.splitlines()[:3]) == (0, shown.splitlines())
    assert said.out.splitlines()[3].split()[:2] == ["job-9", "-"]
    assert "\x1b" not in said.out
    assert said.err == "tidings: 1 lines of kept.jsonl do not read as history\n"
    as_json = say(home, "history", "--file", "kept.jsonl", "--json")
    assert as_json.out.splitlines()[:2] == rows.splitlines()
    piped = run(
        [*TIDINGS, "message", "history", "--file", "-"],
        environment={"HOME": str(home.parent)},
        stdin=before[0],
        cwd=home.parent,
    )
    assert piped.out == said.out
    archive = Tidings.read_history(str(file))
    assert [line["messageRef"] for line in archive.lines] == ["job-0", "job-1", "job-9"]
    assert archive.skipped == 1
    assert (sorted(home.iterdir()), (home / "tidings.db").read_text()) == (kept, "no database")
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


@pytest.mark.parametrize("there", ["file", "store", "link", "fifo", "folder"])
def test_an_export_replaces_nothing(home: Path, there: str) -> None:
    path = home / "kept"
    match there:
        case "file":
            path.write_text("mine")
        case "store":
            path = next(home.rglob("tidings.db"))
        case "link":
            path.symlink_to(next(home.rglob("tidings.db")))
        case "fifo":
            os.mkfifo(path)
        case _:
            path.mkdir()
    before = next(home.rglob("tidings.db")).stat().st_ino
    said = say(home, "history", "--export", str(path))
    assert (said.code, said.err.count("\n")) == (7, 1)
    assert next(home.rglob("tidings.db")).stat().st_ino == before
    assert say(home, "integrity").code == 0
    assert not list(home.glob("*.tmp"))
    if there == "file":
        assert path.read_text() == "mine"


def test_a_device_is_no_export(home: Path) -> None:
    said = say(home, "history", "--file", "/dev/zero")
    assert (said.code, said.err.count("\n")) == (7, 1)


@pytest.mark.parametrize("as_json", [True, False])
def test_a_file_that_is_no_history_is_an_error(home: Path, as_json: bool) -> None:
    (home.parent / "notes.txt").write_text("one line\nand another")
    said = say(home, "history", "--file", "notes.txt", *(["--json"] if as_json else []))
    assert (said.code, said.out) == (7, "")
    assert "notes.txt holds no history: none of it reads as such" in said.err


def test_an_export_that_is_not_there_is_an_error(home: Path) -> None:
    said = say(home, "history", "--file", "nothing.jsonl")
    assert (said.code, said.out) == (7, "")
    assert "nothing.jsonl is not there" in said.err
    assert say(home, "history", "--file", "a", "--export", "b").code == 2
    with pytest.raises(StateUnreadable, match="is not there"):
        Tidings.read_history(str(home / "nothing.jsonl"))
