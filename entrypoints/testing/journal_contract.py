"""What every ``Journal`` keeps."""

from collections.abc import Sequence

from tidings.ports.codec import Document
from tidings.ports.journal import Journal


class JournalContract:
    """Bind it by overriding ``make_journal`` and ``entries``."""

    def make_journal(self) -> Journal:
        """The adapter under test; every call of one test writes to the same place."""
        raise NotImplementedError

    def entries(self) -> Sequence[Document]:
        """What the journal holds, oldest first."""
        raise NotImplementedError

    def test_lines_are_kept_in_their_order(self) -> None:
        self.make_journal().write("armed", session="7-0123abcd", generation=1)
        self.make_journal().write("disarmed", session="7-0123abcd")
        assert [entry["event"] for entry in self.entries()] == ["armed", "disarmed"]
        assert self.entries()[0]["generation"] == 1

    def test_odd_text_neither_raises_nor_breaks_a_line(self) -> None:
        self.make_journal().write("odd", text="two\nlines\u2028and \x1b")
        assert [entry["text"] for entry in self.entries()] == ["two\nlines\u2028and \x1b"]
