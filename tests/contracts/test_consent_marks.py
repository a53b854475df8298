"""The consent mark suite, bound to the memory twin and to files."""

import os
import stat
from pathlib import Path

import pytest

from tidings.adapters.files.consent_marks import FileConsentMarks
from tidings.adapters.memory.consent_marks import MemoryConsentMarks
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.consent_contract import KEY, ConsentMarksContract
from tidings.ports.consent import MarkRead, MarkUnreadable
from tidings.ports.errors import StateUnwritable


class TestMemoryConsentMarks(ConsentMarksContract):
    @pytest.fixture(autouse=True)
    def memory(self) -> None:
        self._marks = MemoryConsentMarks()

    def make_marks(self) -> MemoryConsentMarks:
        return self._marks

    def spoil(self, key: str) -> None:
        self._marks.spoil(key)


class TestFileConsentMarks(ConsentMarksContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self._folder = tmp_path / "consent"

    def make_marks(self) -> FileConsentMarks:
        return FileConsentMarks(str(self._folder), codec=JsonCodec())

    def spoil(self, key: str) -> None:
        self._folder.mkdir(exist_ok=True)
        (self._folder / f"{key}.json").write_text("{broken")

    def test_files_have_the_stated_names_and_modes(self) -> None:
        paths = [self.make_marks().write(KEY, {}), self.make_marks().write_off(KEY, {})]
        assert [os.path.basename(path) for path in paths] == [f"{KEY}.json", f"{KEY}.off.json"]
        assert {stat.S_IMODE(os.stat(path).st_mode) for path in paths} == {0o600}

    @pytest.mark.case("SX9")
    def test_a_fifo_or_an_overlong_mark_is_unreadable_and_never_blocks(self) -> None:
        self._folder.mkdir()
        os.mkfifo(self._folder / f"{KEY}.json")
        (self._folder / f"{KEY}.off.json").write_text('{"a":"' + "x" * 70_000 + '"}')
        pair = self.make_marks().read(KEY)
        assert isinstance(pair.main, MarkUnreadable)
        assert isinstance(pair.off, MarkUnreadable)

    @pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
    def test_in_a_folder_that_others_can_write_no_mark_says_anything(self, mode: int) -> None:
        self.make_marks().write(KEY, {"state": "on"})
        self._folder.chmod(mode)
        pair = self.make_marks().read(KEY)
        for fact in (pair.main, pair.off):
            assert isinstance(fact, MarkUnreadable)
            assert "others may write its folder" in fact.why
        self._folder.chmod(0o755)
        assert isinstance(self.make_marks().read(KEY).main, MarkRead)

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder away")
    def test_in_a_folder_of_somebody_else_no_mark_says_anything(self) -> None:
        self.make_marks().write(KEY, {"state": "on"})
        os.chown(self._folder, 65_534, -1)
        fact = self.make_marks().read(KEY).main
        assert fact == MarkUnreadable(why="its folder belongs to somebody else")

    def test_a_link_is_not_followed(self) -> None:
        elsewhere = self._folder.parent / "elsewhere.json"
        elsewhere.write_text("{}")
        self._folder.mkdir()
        (self._folder / f"{KEY}.json").symlink_to(elsewhere)
        assert isinstance(self.make_marks().read(KEY).main, MarkUnreadable)

    def test_a_folder_in_its_place_is_unreadable_and_cannot_be_overwritten(self) -> None:
        (self._folder / f"{KEY}.json").mkdir(parents=True)
        assert isinstance(self.make_marks().read(KEY).main, MarkUnreadable)
        with pytest.raises(StateUnwritable):
            self.make_marks().write(KEY, {})
        assert os.listdir(self._folder) == [f"{KEY}.json"]
