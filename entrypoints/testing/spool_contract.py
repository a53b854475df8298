"""What every ``EventSpool`` keeps."""

from tidings.ports.errors import StateUnreadable
from tidings.ports.spool import EventSpool, SpoolRead

KEY, OTHER = "41-0123abcd", "42-0123abcd"


class EventSpoolContract:
    """Bind it by overriding ``make_spool``, ``tear`` and ``shorten``."""

    def make_spool(self) -> EventSpool:
        """The adapter under test; every call of one test looks at the same folder."""
        raise NotImplementedError

    def tear(self, key: str, part: bytes) -> None:
        """Leaves the beginning of a record at the end of the spool, as a full disk does."""
        raise NotImplementedError

    def shorten(self, key: str) -> None:
        """Empties the spool, which nobody may do while its owner lives."""
        raise NotImplementedError

    def test_a_spool_never_written_is_empty(self) -> None:
        spool = self.make_spool()
        assert spool.read(KEY, offset=0) == SpoolRead(lines=(), offset=0)
        assert list(spool.keys()) == []

    def test_lines_come_back_in_order_and_apart_by_key(self) -> None:
        spool = self.make_spool()
        spool.append(KEY, b"one\n")
        spool.append(OTHER, b"else\n")
        spool.append(KEY, b"two\n")
        assert self.make_spool().read(KEY, offset=0).lines == (b"one", b"two")
        assert sorted(spool.keys()) == [KEY, OTHER]

    def test_a_read_from_its_own_offset_finds_only_what_is_new(self) -> None:
        spool = self.make_spool()
        spool.append(KEY, b"one\n")
        first = spool.read(KEY, offset=0)
        assert spool.read(KEY, offset=first.offset) == SpoolRead(lines=(), offset=first.offset)
        spool.append(KEY, b"two\n")
        second = spool.read(KEY, offset=first.offset)
        assert second.lines == (b"two",)
        assert second.offset > first.offset

    def test_a_torn_last_line_waits_for_its_end(self) -> None:
        spool = self.make_spool()
        spool.append(KEY, b"one\n")
        self.tear(KEY, b"tw")
        read = spool.read(KEY, offset=0)
        assert read.lines == (b"one",)
        assert spool.read(KEY, offset=read.offset).lines == ()

    def test_the_record_after_a_torn_one_is_whole(self) -> None:
        spool = self.make_spool()
        self.tear(KEY, b"tor")
        spool.append(KEY, b"next\n")
        assert spool.read(KEY, offset=0).lines == (b"tor", b"next")

    def test_a_record_has_one_line_and_a_bound(self) -> None:
        import pytest

        spool = self.make_spool()
        spool.append(KEY, b"x" * 4095 + b"\n")
        for wrong in (b"x" * 4096 + b"\n", b"no break", b"two\nlines\n"):
            with pytest.raises(ValueError, match="record"):
                spool.append(KEY, wrong)
        assert len(spool.read(KEY, offset=0).lines) == 1

    def test_a_spool_that_became_shorter_is_unreadable(self) -> None:
        import pytest

        spool = self.make_spool()
        spool.append(KEY, b"one\n")
        offset = spool.read(KEY, offset=0).offset
        self.shorten(KEY)
        with pytest.raises(StateUnreadable):
            spool.read(KEY, offset=offset)
