"""Whatever stands where a file of ours belongs, every verb ends soon and none calls it absent (P2).

The verbs run in this process: they share the one ``main`` with the command, and there are hundreds.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from support.office import Said
from support.plants import Plant, plant, seen
from tidings import Tidings
from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.main import main

UNREADABLE: Final = 7

VERBS: Final = {
    "ls": ("ls",),
    "whoami": ("whoami",),
    "send": ("send", "api", "--", "hello"),
    "show": ("show", "build-1"),
    "status": ("status", "api"),
    "arm": ("arm", "api"),
    "disarm": ("disarm", "api"),
    "reset": ("reset", "api"),
}

PLACES: Final = {
    "record": "sessions/{key}.json",
    "mark": "consent/{key}.json",
    "emergency": "consent/{key}.off.json",
    "spool": "events/{key}.jsonl",
    "bell": "events/{key}.bell",
    "consent-lock": "locks/consent-{key}.lock",
    "delivery-lock": "locks/delivery-{key}.lock",
    "registry-lock": "locks/registry.lock",
    "journal": "journal.jsonl",
    "database": "tidings.db",
    "wal": "tidings.db-wal",
    "shm": "tidings.db-shm",
    "rollback": "tidings.db-journal",
}

FOLDERS: Final = ("sessions", "consent", "events", "locks")

EVERY: Final = frozenset(VERBS) - {"whoami"}
UNREADABLE_AT: Final[dict[str, frozenset[str]]] = {
    "record": frozenset({"arm"}),
    "mark": frozenset({"send", "arm"}),
    "emergency": frozenset({"send", "arm"}),
    "consent-lock": frozenset({"arm", "reset"}),
    "delivery-lock": frozenset({"disarm"}),
    **dict.fromkeys(("database", "wal", "shm", "rollback"), EVERY),
    "sessions": EVERY | {"whoami"},
    "consent": frozenset({"send", "arm", "disarm", "reset"}),
    "locks": frozenset({"arm", "disarm", "reset"}),
}
"""Which verbs end with 7 where something was planted; all others do what they always do."""

FOLDER_IN_WAY: Final[dict[str, frozenset[str]]] = {"mark": frozenset({"reset"})}
"""A folder cannot be replaced by a mark; it means no all the same. One in the emergency file's
place is taken aside."""


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """``api`` is this process, armed, with one message; its folder."""
    monkeypatch.setenv("TIDINGS_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("tidings.entrypoints.cli.desk.controlling_terminal", lambda: "/dev/pts/9")
    tidings = Tidings.open(str(tmp_path / "state"))
    api = tidings.join("api")
    api.arm()
    assert main(["send", "api", "--ref", "build-1", "--", "hello"]) == 0
    yield tmp_path / "state"


def key_in(state: Path) -> str:
    return open_application({"TIDINGS_HOME": str(state)}).admission.resolve("api").session_key


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", Plant)
@pytest.mark.parametrize("place", PLACES)
def test_every_verb_ends_soon_and_says_what_it_cannot_read(
    place: str, kind: Plant, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = state / PLACES[place].format(key=key_in(state))
    unreadable = UNREADABLE_AT.get(place, frozenset())
    if kind is Plant.FOLDER:
        unreadable |= FOLDER_IN_WAY.get(place, frozenset())
    path.parent.mkdir(mode=0o700, exist_ok=True)
    for verb in VERBS:
        plant(kind, path)
        said = answer(verb, capsys)
        assert said.code == (UNREADABLE if verb in unreadable else 0), (verb, said)
        assert says_no_absence(verb, said), (verb, said)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", [kind for kind in Plant if kind is not Plant.FOLDER])
@pytest.mark.parametrize("place", FOLDERS)
def test_what_stands_in_a_folders_place_is_no_empty_folder(
    place: str, kind: Plant, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(kind, state / place)
    before = seen(state / place)
    for verb in VERBS:
        said = answer(verb, capsys)
        unreadable = verb in UNREADABLE_AT.get(place, frozenset())
        assert said.code == (UNREADABLE if unreadable else 0), (verb, said)
        assert says_no_absence(verb, said), (verb, said)
    assert seen(state / place) == before


@pytest.mark.parametrize("place", ["mark", "record"])
def test_a_folder_in_a_files_place_is_to_be_moved_aside(
    place: str, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(Plant.FOLDER, state / PLACES[place].format(key=key_in(state)))
    said = answer("reset" if place == "mark" else "arm", capsys)
    assert said.code == UNREADABLE
    assert "aside" in said.err


def answer(verb: str, capsys: pytest.CaptureFixture[str]) -> Said:
    """How the verb ended and what it printed."""
    capsys.readouterr()
    code = main(VERBS[verb])
    printed = capsys.readouterr()
    return Said(code=code, out=printed.out, err=printed.err)


def says_no_absence(verb: str, said: Said) -> bool:
    """Whether it tells trouble with a next step, or else knows ``api`` and the message."""
    if said.code:
        return "no session" not in said.err + said.out and (" (" in said.err or "; " in said.out)
    return verb == "whoami" or "api" in said.out
