"""What every ``Transcripts`` keeps (M 4.5)."""

from tidings.ports.transcripts import TailRead, TailUnreadable, Transcripts

TAIL_BYTES = 256 * 1024


class TranscriptsContract:
    """Bind it by overriding ``make_transcripts`` and ``write``."""

    def make_transcripts(self) -> Transcripts:
        """The adapter under test; every call of one test looks at the same files."""
        raise NotImplementedError

    def write(self, data: bytes) -> str:
        """Puts a transcript there and returns its path."""
        raise NotImplementedError

    def test_a_short_file_is_read_whole(self) -> None:
        path = self.write(b"one\n\ntwo\n")
        assert self.make_transcripts().tail(path) == TailRead(lines=(b"one", b"", b"two"))

    def test_the_partial_first_line_of_a_long_file_is_dropped(self) -> None:
        path = self.write(b"x" * TAIL_BYTES + b"\nlast\n")
        assert self.make_transcripts().tail(path) == TailRead(lines=(b"last",))

    def test_a_file_of_exactly_the_tail_keeps_its_first_line(self) -> None:
        first = b"x" * (TAIL_BYTES - len(b"\nlast\n"))
        path = self.write(first + b"\nlast\n")
        assert self.make_transcripts().tail(path) == TailRead(lines=(first, b"last"))

    def test_a_tail_without_a_line_break_is_unreadable(self) -> None:
        for data in (b"", b"torn", b"x" * (TAIL_BYTES + 1), b"one\ntorn"):
            fact = self.make_transcripts().tail(self.write(data))
            assert isinstance(fact, TailUnreadable), data[:20]

    def test_a_missing_file_is_unreadable(self) -> None:
        path = self.write(b"one\n")
        assert isinstance(self.make_transcripts().tail(path + ".none"), TailUnreadable)
