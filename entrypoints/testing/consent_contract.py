"""What every ``ConsentMarks`` keeps."""

from tidings.ports.consent import (
    ConsentMarks,
    MarkMissing,
    MarkPair,
    MarkRead,
    MarkUnreadable,
)
from tidings.ports.errors import StateUnwritable

KEY, OTHER = "41-0123abcd", "42-0123abcd"
NOTHING = MarkPair(main=MarkMissing(), off=MarkMissing())


class ConsentMarksContract:
    """Bind it by overriding ``make_marks`` and ``spoil``."""

    def make_marks(self) -> ConsentMarks:
        """The adapter under test; every call of one test looks at the same folder."""
        raise NotImplementedError

    def spoil(self, key: str) -> None:
        """Puts something in the main mark's place that cannot be read."""
        raise NotImplementedError

    def test_nothing_is_there_at_first(self) -> None:
        marks = self.make_marks()
        assert marks.read(KEY) == NOTHING
        assert list(marks.keys()) == []
        assert marks.remove(KEY) is False

    def test_both_files_are_read_apart(self) -> None:
        marks = self.make_marks()
        marks.write(KEY, {"state": "on"})
        assert marks.read(KEY).off == MarkMissing()
        marks.write_off(KEY, {"state": "off"})
        assert self.make_marks().read(KEY) == MarkPair(
            main=MarkRead(document={"state": "on"}), off=MarkRead(document={"state": "off"})
        )

    def test_the_two_files_have_two_paths(self) -> None:
        marks = self.make_marks()
        assert marks.path(KEY) == marks.write(KEY, {}) != marks.write_off(KEY, {})

    def test_a_write_replaces_one_file_whole(self) -> None:
        marks = self.make_marks()
        marks.write(KEY, {"a": "long" * 100})
        marks.write(KEY, {"b": 1})
        assert marks.read(KEY).main == MarkRead(document={"b": 1})

    def test_remove_takes_both(self) -> None:
        marks = self.make_marks()
        marks.write_off(KEY, {})
        marks.write(KEY, {})
        assert marks.remove(KEY) is True
        assert marks.read(KEY) == NOTHING

    def test_an_emergency_file_alone_counts_as_a_mark(self) -> None:
        marks = self.make_marks()
        marks.write_off(OTHER, {})
        marks.write(KEY, {})
        assert sorted(marks.keys()) == [KEY, OTHER]
        assert marks.remove(OTHER) is True

    def test_what_cannot_be_read_is_not_missing(self) -> None:
        marks = self.make_marks()
        self.spoil(KEY)
        assert isinstance(marks.read(KEY).main, MarkUnreadable)
        assert list(marks.keys()) == [KEY]

    def test_an_unreadable_mark_can_be_replaced(self) -> None:
        marks = self.make_marks()
        self.spoil(KEY)
        marks.write(KEY, {"state": "off"})
        assert marks.read(KEY).main == MarkRead(document={"state": "off"})

    def test_a_mark_can_be_written_over_where_it_is(self) -> None:
        marks = self.make_marks()
        path = marks.write(KEY, {"state": "on", "cwd": "long" * 100})
        assert marks.write_over(KEY, {"state": "off"}) == path
        assert marks.read(KEY) == MarkPair(
            main=MarkRead(document={"state": "off"}), off=MarkMissing()
        )

    def test_what_is_not_there_cannot_be_written_over(self) -> None:
        import pytest

        marks = self.make_marks()
        marks.write_off(KEY, {})
        with pytest.raises(StateUnwritable):
            marks.write_over(KEY, {"state": "off"})
        assert marks.read(KEY).main == MarkMissing()

    def test_what_would_not_be_read_back_is_not_written(self) -> None:
        import pytest

        marks = self.make_marks()
        marks.write(KEY, {"state": "on"})
        for value in ("x" * 65_536, "\ud800"):
            for write in (marks.write, marks.write_off, marks.write_over):
                with pytest.raises(StateUnwritable):
                    write(KEY, {"state": value})
        assert marks.read(KEY) == MarkPair(
            main=MarkRead(document={"state": "on"}), off=MarkMissing()
        )

    def test_a_name_that_is_no_key_is_unreadable_and_never_written(self) -> None:
        import pytest

        for name in ("../7-0123abcd", "7", "", "7-0123abcd.off"):
            assert isinstance(self.make_marks().read(name).main, MarkUnreadable)
            with pytest.raises(ValueError, match="no session key"):
                self.make_marks().write(name, {})
