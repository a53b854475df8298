"""What every ``Approvals`` keeps."""

from tidings.ports.approvals import (
    Approvals,
    ApprovalsAbsent,
    ApprovalsRead,
    ApprovalsUnreadable,
)
from tidings.ports.errors import StateUnwritable


class ApprovalsContract:
    """Bind it by overriding ``make_approvals`` and ``spoil``."""

    def make_approvals(self) -> Approvals:
        """The adapter under test; every call of one test looks at the same file."""
        raise NotImplementedError

    def spoil(self) -> None:
        """Puts something in its place that cannot be read."""
        raise NotImplementedError

    def test_nothing_is_there_at_first(self) -> None:
        assert self.make_approvals().read() == ApprovalsAbsent()

    def test_a_write_replaces_the_whole(self) -> None:
        approvals = self.make_approvals()
        approvals.write({"a": "long" * 100})
        assert approvals.write({"b": 1})
        assert self.make_approvals().read() == ApprovalsRead(document={"b": 1})

    def test_what_cannot_be_read_is_neither_absent_nor_empty(self) -> None:
        self.make_approvals().write({"b": 1})
        self.spoil()
        fact = self.make_approvals().read()
        assert isinstance(fact, ApprovalsUnreadable)
        assert fact.why

    def test_what_would_not_be_read_back_is_not_written(self) -> None:
        import pytest

        approvals = self.make_approvals()
        approvals.write({"b": 1})
        for value in ("x" * 65_536, "\ud800"):
            with pytest.raises(StateUnwritable):
                approvals.write({"b": value})
        assert approvals.read() == ApprovalsRead(document={"b": 1})
