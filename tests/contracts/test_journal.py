"""The journal suite, bound to the memory twin and to a file."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from support.plants import Plant, plant, seen
from tidings.adapters.files.journal import FileJournal
from tidings.adapters.memory.clock import ManualClock
from tidings.adapters.memory.journal import MemoryJournal
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.journal_contract import JournalContract
from tidings.ports.codec import Document


class TestMemoryJournal(JournalContract):
    @pytest.fixture(autouse=True)
    def memory(self) -> None:
        self._journal = MemoryJournal()

    def make_journal(self) -> MemoryJournal:
        return self._journal

    def entries(self) -> Sequence[Document]:
        return self._journal.entries


class TestFileJournal(JournalContract):
    @pytest.fixture(autouse=True)
    def path(self, tmp_path: Path) -> None:
        self._path = tmp_path / "state" / "journal.jsonl"
        self._path.parent.mkdir()

    def make_journal(self) -> FileJournal:
        return FileJournal(str(self._path), codec=JsonCodec(), clock=ManualClock())

    def entries(self) -> Sequence[Document]:
        return [JsonCodec().decode(line) for line in self._path.read_bytes().split(b"\n") if line]

    def test_a_line_tells_when(self) -> None:
        self.make_journal().write("armed")
        assert self.entries() == [{"v": 1, "at_ns": ManualClock().now().wall_ns, "event": "armed"}]

    def test_a_journal_that_cannot_be_written_says_nothing(self) -> None:
        self._path.parent.rmdir()
        self._path.parent.write_text("a file where the folder should be")
        self.make_journal().write("armed")
        assert self._path.parent.is_file()

    def test_a_removed_state_folder_is_not_made_anew(self) -> None:
        self._path.parent.rmdir()
        self.make_journal().write("armed")
        assert not self._path.parent.exists()

    @pytest.mark.timeout(10)
    @pytest.mark.parametrize("kind", Plant)
    def test_what_stands_in_its_place_is_neither_waited_for_nor_changed(self, kind: Plant) -> None:
        plant(kind, self._path)
        before = seen(self._path)
        self.make_journal().write("armed")
        assert seen(self._path) == before

    def test_a_fifo_at_which_somebody_listens_hears_nothing(self) -> None:
        plant(Plant.FIFO, self._path)
        listening = os.open(self._path, os.O_RDWR | os.O_NONBLOCK)
        self.make_journal().write("armed")
        with pytest.raises(BlockingIOError):
            os.read(listening, 1)
        os.close(listening)

    def test_a_value_json_lacks_costs_the_line_and_nothing_else(self) -> None:
        self.make_journal().write("armed", text="\ud800")
        self.make_journal().write("disarmed")
        assert [entry["event"] for entry in self.entries()] == ["disarmed"]

    def test_it_keeps_one_older_file(self) -> None:
        journal = FileJournal(
            str(self._path), codec=JsonCodec(), clock=ManualClock(), rotate_at_bytes=1
        )
        for number in range(3):
            journal.write("armed", number=number)
        older = self._path.with_name("journal.jsonl.1")
        assert [entry.name for entry in self._path.parent.iterdir()] == [older.name]
        assert JsonCodec().decode(older.read_bytes())["number"] == 2
