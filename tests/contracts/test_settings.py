"""The settings suite, bound to the memory twin and to files."""

import os
from pathlib import Path

import pytest

from tidings.adapters.files.settings_files import TomlSettings
from tidings.adapters.memory.settings import PERSONAL, MemorySettings
from tidings.entrypoints.testing.settings_contract import YES, SettingsContract
from tidings.ports.codec import Document
from tidings.ports.settings import SettingsRead, SettingsWrong


class TestMemorySettings(SettingsContract):
    @pytest.fixture(autouse=True)
    def memory(self) -> None:
        self._settings = MemorySettings()

    def make_settings(self) -> MemorySettings:
        return self._settings

    def write_repository(self, folder: str, document: Document) -> None:
        self._settings.write_repository(folder, document)

    def write_personal(self, document: Document) -> None:
        self._settings.write_personal(document)

    def spoil_repository(self, folder: str) -> None:
        self._settings.spoil(folder)

    def spoil_personal(self) -> None:
        self._settings.spoil(PERSONAL)


class TestTomlSettings(SettingsContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.top = os.path.realpath(tmp_path)
        self._own = tmp_path / "own" / "config.toml"
        self._own.parent.mkdir()

    def make_settings(self) -> TomlSettings:
        return TomlSettings(personal_file=str(self._own))

    def write_repository(self, folder: str, document: Document) -> None:
        _file(folder).write_text(toml(document))

    def write_personal(self, document: Document) -> None:
        self._own.write_text(toml(document))

    def spoil_repository(self, folder: str) -> None:
        _file(folder).write_text("[push\n")

    def spoil_personal(self) -> None:
        self._own.write_bytes(b"\xff\xfe")

    @pytest.mark.parametrize("kind", ["fifo", "folder", "link", "long", "digits", "deep", "others"])
    def test_what_is_no_file_of_ours_counts_as_there_and_says_nothing(self, kind: str) -> None:
        self.write_repository(self.top, YES)
        nearer = _file(f"{self.top}/a")
        match kind:
            case "fifo":
                os.mkfifo(nearer)
            case "folder":
                nearer.mkdir()
            case "link":
                nearer.symlink_to(_file(self.top))
            case "long":
                nearer.write_text(toml(YES) + "#" * 8192)
            case "digits":
                nearer.write_text(toml(YES) + "a = " + "9" * 5000)
            case "deep":
                nearer.write_text(toml(YES) + ".".join(["a"] * 2000) + " = 1")
            case _:
                nearer.write_text(toml(YES))
                nearer.chmod(0o666)
        fact = self.make_settings().repository(f"{self.top}/a/b")
        assert isinstance(fact, SettingsWrong)
        assert fact.path == str(nearer)

    def test_the_users_own_file_may_be_a_link_to_a_file_that_is_theirs_alone(self) -> None:
        dotfiles = Path(self.top) / "dotfiles.toml"
        dotfiles.write_text(toml(YES))
        self._own.symlink_to(dotfiles)
        fact = self.make_settings().personal()
        assert isinstance(fact, SettingsRead)
        assert (fact.document, fact.path) == (YES, str(self._own))
        dotfiles.chmod(0o622)
        assert isinstance(self.make_settings().personal(), SettingsWrong)

    @pytest.mark.parametrize("kind", ["nowhere", "loop", "folder", "fifo", "others"])
    def test_what_the_users_link_may_not_lead_to_is_no_absence_and_says_what_to_do(
        self, kind: str
    ) -> None:
        target = self._own.parent / "target"
        match kind:
            case "loop":
                target = self._own
            case "folder":
                target.mkdir()
            case "fifo":
                os.mkfifo(target)
            case "others":
                target.write_text(toml(YES))
                target.chmod(0o666)
            case _:
                pass
        self._own.symlink_to(target)
        fact = self.make_settings().personal()
        assert isinstance(fact, SettingsWrong)
        assert "; " in fact.why

    def test_links_on_the_way_are_resolved_first(self) -> None:
        self.write_repository(self.top, YES)
        (Path(self.top) / "elsewhere").symlink_to(self.top)
        fact = self.make_settings().repository(f"{self.top}/elsewhere/a")
        assert isinstance(fact, SettingsRead)
        assert fact.path == f"{self.top}/.tidings.toml"

    def test_every_kind_of_value_reads_as_a_plain_one(self) -> None:
        _file(self.top).write_text('d = 2026-11-30\nl = [1, 2.5, true, "x"]\n[[t]]\nx = 1\n')
        fact = self.make_settings().repository(self.top)
        assert isinstance(fact, SettingsRead)
        assert fact.document == {"d": "2026-11-30", "l": [1, 2.5, True, "x"], "t": [{"x": 1}]}


def _file(folder: str) -> Path:
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    return path / ".tidings.toml"


def toml(document: Document) -> str:
    """The one table that this suite writes."""
    push = document["push"]
    assert isinstance(push, dict)
    return "[push]\n" + "".join(f"{name} = {str(value).lower()}\n" for name, value in push.items())
