"""Where the working directory was removed, every verb works or says what to do (SX18)."""

import os
from pathlib import Path

import pytest

from tidings import Tidings
from tidings.entrypoints.cli.main import main
from tidings.entrypoints.cli.verbs import VERBS
from tidings.ports.errors import UsageError

CALLS = [
    ("ls",),
    ("whoami",),
    ("send", "api", "--", "hi"),
    ("send", "api", "--file", "text"),
    ("ask", "api", "--", "hi"),
    ("push", "api", "--", "hi"),
    ("push", "--all", "--", "hi"),
    ("notify", "--all", "--file", "text"),
    ("reply", "mabcdefg", "--", "hi"),
    ("inbox",),
    ("show", "mabcdefg"),
    ("log",),
    ("wait", "api", "--until", "idle", "--timeout", "1s"),
    ("arm",),
    ("disarm",),
    ("status",),
    ("reset",),
    ("first-connect",),
    ("should-arm",),
    ("setup", "--json"),
    ("trust",),
    ("trust", "sub"),
    ("trust", "--list"),
    ("trust", "--remove"),
    ("session list",),
    ("session list", "--cwd", "."),
    ("session list", "--cwd", "sub"),
    ("session show", "41-0123abcd"),
    ("session register",),
    ("session prune",),
    ("message history",),
    ("message history", "--export", "file"),
    ("message integrity",),
    ("message backup", "file"),
    ("message status", "mabcdefg"),
    ("message list",),
    ("message thread", "mabcdefg"),
    ("message explain", "mabcdefg"),
    ("message cancel", "mabcdefg"),
    ("message retry", "mabcdefg"),
    ("message settle",),
]
NEED_THE_FOLDER = [
    call
    for call in CALLS
    if call[0] in ("session register", "message backup")
    or call[1:] in (("sub",), ("--remove",), ("--cwd", "."), ("--cwd", "sub"))
    or call in (("trust",), ("message history", "--export", "file"))
]


@pytest.fixture
def gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, removed; the state is elsewhere."""
    monkeypatch.setenv("TIDINGS_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("tidings.entrypoints.cli.desk.controlling_terminal", lambda: "/dev/pts/9")
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    return folder


def test_every_verb_that_runs_here_is_tried() -> None:
    assert {call[0] for call in CALLS} == set(VERBS) - {"demo", "monitor"}


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_no_verb_ends_with_an_internal_error(
    call: tuple[str, ...], gone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([*call[0].split(" "), *call[1:]])
    said = capsys.readouterr()
    assert "internal error" not in said.err
    if call in NEED_THE_FOLDER:
        assert (code, said.err.count("\n")) == (2, 1), said
        assert "the working directory is gone (cd to" in said.err
    else:
        assert code in (0, 1, 2, 3, 5), said


def test_a_relative_home_of_the_library_is_a_usage_error_there(gone: Path) -> None:
    with pytest.raises(UsageError, match="gone"):
        Tidings.open("state")
    assert not os.path.exists(gone)
