"""What each command may import: start-up cost is architecture (design page 2).

A hook runs at every tool call and a verb at every keystroke of a script, so the modules below are
each worth a line. A command loads at most what its row allows; a new need is a new word in a row,
and a reason in the commit.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.project import run_python
from tidings.entrypoints.cli.verbs import VERBS

OUTSIDE = frozenset(
    {"click", "dependency_injector", "mcp", "nats", "platformdirs", "portalocker", "psutil"}
    | {"pydantic", "pydantic_core", "pytest", "rich", "textual"}
)
# The standard library's weighty ones: 1 to 60 ms each, with what they pull in.
STANDARD = frozenset(
    {"argparse", "asyncio", "concurrent", "ctypes", "dataclasses", "datetime", "decimal", "difflib"}
    | {"email", "enum", "hashlib", "http", "importlib.metadata", "inspect", "json", "logging"}
    | {
        "multiprocessing",
        "pathlib",
        "random",
        "re",
        "secrets",
        "shutil",
        "socket",
        "sqlite3",
        "ssl",
    }
    | {"subprocess", "tempfile", "threading", "tomllib", "typing", "unittest", "urllib", "uuid"}
)
HEAVY = OUTSIDE | STANDARD

IMPORTED = r"^import time: +\d+ \| +\d+ \| +(\S+)$"

HOOK = frozenset({"json", "re", "enum"})
FRONT_DOOR = HOOK | {"typing"}
ASKING = frozenset({"re", "enum", "typing"})
VALUES = FRONT_DOOR
STORE = {"sqlite3", "datetime", "random"}  # random: the retry of D30, 1 ms
HOT = VALUES | STORE | {"argparse", "socket", "threading"}
# What starts processes in folders of its own; pathlib and random bring urllib and hashlib along.
STARTER = {"subprocess", "tempfile", "pathlib", "shutil", "urllib", "hashlib"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A command as arguments of the interpreter, what stands on its stdin, and what it may load."""

    command: tuple[str, ...]
    may_load: frozenset[str]
    text_in: str = ""


def loading(module: str, may_load: frozenset[str]) -> Row:
    return Row(command=("-c", f"import {module}"), may_load=may_load)


def verb(*words: str, may_load: frozenset[str] = HOT) -> Row:
    program = (
        f"from tidings.entrypoints.cli.main import main; raise SystemExit(main({list(words)}))"
    )
    return Row(command=("-c", program), may_load=may_load)


EVENT = '{"hook_event_name": "Stop", "session_id": "s", "cwd": "/", "transcript_path": ""}'

ROWS = {
    "import tidings": loading("tidings", frozenset()),
    "the first public name": Row(
        command=("-c", "from tidings import Tidings"),
        may_load=VALUES,
    ),
    "import the hook": loading("tidings.entrypoints.hook", HOOK),
    "a hook event": Row(
        command=("-m", "tidings.entrypoints.hook"),
        may_load=HOOK,
        text_in=EVENT,
    ),
    "the session key": loading("tidings.domain.identity.keys", frozenset()),
    "--help": verb("--help", may_load=FRONT_DOOR),
    "--version": verb("--version", may_load=FRONT_DOOR),
    "an unknown verb": verb("sned", may_load=FRONT_DOOR | {"difflib"}),
    "ls": verb("ls", "--json"),
    "whoami": verb("whoami"),
    "send": verb("send", "nobody", "--", "hello"),
    "push": verb("push", "nobody", "--", "hello"),
    "notify": verb("notify", "--all", "--", "hello"),
    "reply": verb("reply", "mabcde", "--", "hello"),
    "show": verb("show", "mabcde"),
    "ask": verb("ask", "nobody", "--", "hello"),
    "inbox": verb("inbox", "--box", "0" * 32),
    "log": verb("log"),
    "wait": verb("wait", "nobody", "--until", "gone"),
    "message status": verb("message", "status", "mabcde"),
    "message list": verb("message", "list"),
    "message thread": verb("message", "thread", "mabcde"),
    "message explain": verb("message", "explain", "pacing"),
    "message cancel": verb("message", "cancel", "mabcde"),
    "message retry": verb("message", "retry", "mabcde"),
    "message settle": verb("message", "settle"),
    "arm": verb("arm", "nobody"),
    "disarm": verb("disarm", "nobody"),
    "reset": verb("reset", "nobody"),
    "status": verb("status", "nobody"),
    "should-arm": verb("should-arm", may_load=ASKING),
    # What it loads below a client: the verb itself ends earlier here.
    "reading consent": loading(
        "tidings.domain.consent.reading, tidings.adapters.files.consent_marks", ASKING
    ),
    "a repository's default": loading(
        "tidings.domain.consent.defaults, tidings.adapters.files.settings_files",
        ASKING | {"datetime"},
    ),
    "first-connect": verb("first-connect", "nobody"),
    # By nature no hot verb: it starts the client, and compares files line by line.
    "setup": verb("setup", "--dry-run", may_load=HOT | {"subprocess", "shutil", "difflib"}),
    "trust": verb("trust"),
    "session list": verb("session", "list"),
    "session show": verb("session", "show", "7"),
    "session register": verb("session", "register"),
    "session prune": verb("session", "prune"),
    "message history": verb("message", "history"),
    "message integrity": verb("message", "integrity"),
    "message backup": verb("message", "backup", "b.db"),
    # The two that stay: loaded, not run, since they would wait or start processes of their own.
    "monitor": loading(VERBS["monitor"].module, HOT | {"hashlib"}),
    "demo": loading(VERBS["demo"].module, HOT | STARTER | {"dataclasses", "inspect"}),
}


def heavy_modules(row: Row, home: Path) -> frozenset[str]:
    """The heavy modules that the command loads, as the interpreter itself reports them."""
    env = {
        "HOME": str(home),
        "TIDINGS_HOME": str(home / "state"),
        "TIDINGS_CONFIG": str(home / "c"),
    }
    done = run_python("-X", "importtime", *row.command, env=env, text_in=row.text_in)
    loaded = re.findall(IMPORTED, done.stderr, re.MULTILINE)
    said = [line for line in done.stderr.splitlines() if not line.startswith("import time:")]
    assert "Traceback (most recent call last):" not in said, said[-1]
    assert "site" in loaded, "the interpreter reported nothing"
    return HEAVY & set(loaded)


@pytest.mark.parametrize("name", ROWS)
def test_a_command_loads_no_more_than_its_row_allows(name: str, tmp_path: Path) -> None:
    row = ROWS[name]
    assert heavy_modules(row, tmp_path) - row.may_load == set()


def test_every_verb_has_a_row() -> None:
    assert set(VERBS) - set(ROWS) == set()


def test_a_weight_is_seen_when_it_is_loaded(tmp_path: Path) -> None:
    row = loading("sqlite3, click", frozenset())
    assert heavy_modules(row, tmp_path) >= {"sqlite3", "click", "datetime"}
