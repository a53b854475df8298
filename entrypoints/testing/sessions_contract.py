"""What every ``SessionRecords`` keeps."""

from tidings.ports.errors import StateUnwritable
from tidings.ports.sessions import RecordMalformed, RecordRead, SessionRecords

KEY, OTHER = "41-0123abcd", "42-0123abcd"


class SessionRecordsContract:
    """Bind it by overriding ``make_records`` and ``spoil``."""

    def make_records(self) -> SessionRecords:
        """The adapter under test; every call of one test looks at the same folder."""
        raise NotImplementedError

    def spoil(self, key: str) -> None:
        """Puts something in the record's place that does not read as one."""
        raise NotImplementedError

    def test_nothing_is_there_at_first(self) -> None:
        records = self.make_records()
        assert records.read(KEY) is None
        assert list(records.read_all()) == []

    def test_what_was_written_is_read(self) -> None:
        path = self.make_records().write(KEY, {"v": 1, "cwd": "/ä"})
        fact = self.make_records().read(KEY)
        assert isinstance(fact, RecordRead)
        assert (fact.key, fact.path) == (KEY, path)
        assert fact.document == {"v": 1, "cwd": "/ä"}
        assert fact.modified_at_ns > 0

    def test_a_write_replaces_the_whole(self) -> None:
        records = self.make_records()
        records.write(KEY, {"a": "long" * 100})
        records.write(KEY, {"b": 2})
        fact = records.read(KEY)
        assert isinstance(fact, RecordRead)
        assert fact.document == {"b": 2}

    def test_all_are_listed(self) -> None:
        records = self.make_records()
        records.write(KEY, {})
        records.write(OTHER, {})
        assert {fact.key for fact in records.read_all()} == {KEY, OTHER}

    def test_a_removed_record_is_gone(self) -> None:
        records = self.make_records()
        records.write(KEY, {})
        assert records.remove(KEY) is True
        assert records.remove(KEY) is False
        assert records.read(KEY) is None

    def test_what_does_not_read_is_malformed_not_absent(self) -> None:
        records = self.make_records()
        records.write(KEY, {})
        self.spoil(KEY)
        fact = records.read(KEY)
        assert isinstance(fact, RecordMalformed)
        assert fact.key == KEY
        assert [type(found) for found in records.read_all()] == [RecordMalformed]

    def test_a_reader_cannot_change_what_is_stored(self) -> None:
        records = self.make_records()
        records.write(KEY, {"list": [1]})
        fact = records.read(KEY)
        assert isinstance(fact, RecordRead)
        fact.document["list"] = "changed"
        again = records.read(KEY)
        assert isinstance(again, RecordRead)
        assert again.document == {"list": [1]}

    def test_what_would_not_be_read_back_is_not_written(self) -> None:
        import pytest

        records = self.make_records()
        records.write(KEY, {"a": 1})
        for value in ("x" * 65_536, "\ud800"):
            with pytest.raises(StateUnwritable):
                records.write(KEY, {"a": value})
        fact = records.read(KEY)
        assert isinstance(fact, RecordRead)
        assert fact.document == {"a": 1}

    def test_a_name_that_is_no_key_is_never_written(self) -> None:
        import pytest

        for name in ("../7-0123abcd", "7", "7x", "", "7-0123ABCD", "7-0123abcd/x"):
            assert self.make_records().read(name) is None
            with pytest.raises(ValueError, match="no session key"):
                self.make_records().write(name, {})
