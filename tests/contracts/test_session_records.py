"""The session record suite, bound to the memory twin and to files."""

import os
import socket
import stat
from pathlib import Path

import pytest

from support.owners import World
from tidings.adapters.files.session_records import FileSessionRecords
from tidings.adapters.memory.sessions import MemorySessionRecords
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.sessions.record import MalformedSession
from tidings.domain.sessions.roster import Roster
from tidings.entrypoints.testing.sessions_contract import KEY, SessionRecordsContract
from tidings.ports.codec import Document
from tidings.ports.errors import StateUnreadable, StateUnwritable
from tidings.ports.sessions import RecordMalformed, RecordRead
from tidings.ports.tokens import Verdict


class TestMemorySessionRecords(SessionRecordsContract):
    @pytest.fixture(autouse=True)
    def memory(self) -> None:
        self._records = MemorySessionRecords()

    def make_records(self) -> MemorySessionRecords:
        return self._records

    def spoil(self, key: str) -> None:
        self._records.spoil(key)


class TestFileSessionRecords(SessionRecordsContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self._folder = tmp_path / "state" / "sessions"

    def make_records(self) -> FileSessionRecords:
        return FileSessionRecords(str(self._folder), codec=JsonCodec())

    def spoil(self, key: str) -> None:
        (self._folder / f"{key}.json").write_text("{broken")

    def test_folders_and_files_are_private(self) -> None:
        path = self.make_records().write(KEY, {})
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(self._folder).st_mode) == 0o700

    @pytest.mark.case("S44")
    def test_a_wide_folder_is_tightened_by_its_first_use(self) -> None:
        self._folder.mkdir(parents=True)
        self._folder.chmod(0o755)
        self.make_records().write(KEY, {})
        assert stat.S_IMODE(self._folder.stat().st_mode) == 0o700

    @pytest.mark.case("S50")
    def test_other_files_are_not_listed(self) -> None:
        records = self.make_records()
        records.write(KEY, {})
        for name in ("arm-sess-c90f0b9112fe3882.json", ".arm-x.tmp", "notes.txt", "7x.json"):
            (self._folder / name).write_text("{}")
        assert [fact.key for fact in records.read_all()] == [KEY]

    def test_what_is_left_of_the_form_before_keys_is_listed_and_can_be_removed(self) -> None:
        records = self.make_records()
        records.write(KEY, {})
        (self._folder / "7.json").write_text('{"pid": 7}')
        assert sorted(fact.key for fact in records.read_all()) == [KEY, "7"]
        legacy = records.read("7")
        assert isinstance(legacy, RecordRead)
        assert legacy.document == {"pid": 7}
        assert records.remove("7") is True
        assert [fact.key for fact in records.read_all()] == [KEY]

    @pytest.mark.parametrize("mode", [0o620, 0o602])
    def test_one_that_others_may_write_is_malformed(self, mode: int) -> None:
        path = self.make_records().write(KEY, {})
        os.chmod(path, mode)
        fact = self.make_records().read(KEY)
        assert isinstance(fact, RecordMalformed)
        assert "may write it" in fact.why

    @pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
    def test_in_a_folder_that_others_can_write_no_record_is_believed(self, mode: int) -> None:
        self.make_records().write(KEY, {})
        self._folder.chmod(mode)
        for look in (self.make_records().read_all, lambda: self.make_records().read(KEY)):
            with pytest.raises(StateUnreadable, match="others may write") as caught:
                look()
            assert f"chmod 700 {self._folder}" in caught.value.next_step
        self._folder.chmod(0o700)
        assert [fact.key for fact in self.make_records().read_all()] == [KEY]

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder away")
    def test_in_a_folder_of_somebody_else_no_record_is_believed(self) -> None:
        self.make_records().write(KEY, {})
        os.chown(self._folder, 65_534, -1)
        with pytest.raises(StateUnreadable, match="somebody else"):
            self.make_records().read_all()

    @pytest.mark.case("S55")
    def test_a_link_in_a_records_place_is_not_listed(self) -> None:
        records = self.make_records()
        records.write(KEY, {})
        (self._folder / "42-0123abcd.json").symlink_to(self._folder / f"{KEY}.json")
        assert [fact.key for fact in records.read_all()] == [KEY]
        assert isinstance(records.read("42-0123abcd"), RecordMalformed)

    @pytest.mark.case("S69")
    def test_a_fifo_is_never_listed_and_never_blocks(self) -> None:
        records = self.make_records()
        records.write(KEY, {})
        os.mkfifo(self._folder / "42-0123abcd.json")
        assert [fact.key for fact in records.read_all()] == [KEY]

    def test_a_socket_in_a_records_place_is_not_listed(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        records = self.make_records()
        records.write(KEY, {})
        monkeypatch.chdir(self._folder)  # a socket's path may be too long, its name is not
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("42-0123abcd.json")
        assert [fact.key for fact in records.read_all()] == [KEY]
        assert isinstance(records.read("42-0123abcd"), RecordMalformed)

    def test_a_record_is_read_when_it_is_asked_for_and_skipped_where_it_is_gone_by_then(
        self,
    ) -> None:
        records = self.make_records()
        for key in (KEY, "42-0123abcd"):
            records.write(key, {})
        facts = iter(records.read_all())
        first = next(facts)
        for key in {KEY, "42-0123abcd"} - {first.key}:
            records.remove(key)
        assert list(facts) == []

    def living(self) -> tuple[World, str, Document]:
        """A world whose one living session has its record in the folder, and that record."""
        world = World()
        row = world.register(world.owner(), label="wren")
        fact = world.records.read(row.key)
        assert isinstance(fact, RecordRead)
        self.make_records().write(row.key, fact.document)
        assert self.roster(world).show(row.key).verdict is Verdict.ALIVE
        return world, row.key, fact.document

    def roster(self, world: World) -> Roster:
        return Roster(
            records=self.make_records(), locks=world.locks, clock=world.clock, probe=world.probe
        )

    @pytest.mark.case("S66")
    def test_a_living_record_over_64_kib_is_malformed(self) -> None:
        world, key, document = self.living()
        padded = JsonCodec().encode({**document, "padding": "x" * 70_000})
        (self._folder / f"{key}.json").write_bytes(padded)
        (row,) = self.roster(world).list()
        assert isinstance(row.record, MalformedSession)
        assert "64 KiB" in row.record.why
        assert row.verdict is Verdict.UNKNOWN

    @pytest.mark.case("S51")
    def test_broken_text_is_one_malformed_row_as_old_as_its_file(self) -> None:
        world, key, _ = self.living()
        path = self._folder / f"{key}.json"
        path.write_text("{broken")
        os.utime(path, ns=(7_000_000_001, 7_000_000_001))
        (row,) = self.roster(world).list()
        assert isinstance(row.record, MalformedSession)
        assert (row.verdict, row.since_ns) == (Verdict.UNKNOWN, 7_000_000_001)
        assert row.to_document()["malformed"] is True

    def test_exactly_64_kib_is_still_read(self) -> None:
        records = self.make_records()
        frame = len(b'{"a":""}')
        path = records.write(KEY, {"a": "x" * (65_536 - frame)})
        assert os.stat(path).st_size == 65_536
        assert isinstance(records.read(KEY), RecordRead)

    @pytest.mark.case("S67")
    def test_a_name_that_is_no_utf8_is_malformed(self) -> None:
        world, key, _ = self.living()
        path = self._folder / f"{key}.json"
        path.write_bytes(path.read_bytes().replace(b'"wren"', b'"wr\xff"'))
        (row,) = self.roster(world).list()
        assert isinstance(row.record, MalformedSession)
        assert row.verdict is Verdict.UNKNOWN

    def test_a_failed_write_leaves_the_old_record_and_no_draft(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        records = self.make_records()
        records.write(KEY, {"a": 1})

        def full(descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(StateUnwritable, match="No space left"):
            records.write(KEY, {"a": 2})
        fact = records.read(KEY)
        assert isinstance(fact, RecordRead)
        assert fact.document == {"a": 1}
        assert os.listdir(self._folder) == [f"{KEY}.json"]

    def test_a_folder_that_is_a_file_is_no_empty_roster(self) -> None:
        self._folder.parent.mkdir()
        self._folder.write_text("")
        with pytest.raises(StateUnreadable):
            self.make_records().read_all()
        with pytest.raises(StateUnwritable):
            self.make_records().write(KEY, {})
