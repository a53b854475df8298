"""What every ``MessageStore`` keeps of messages that left (D31)."""

from collections.abc import Callable
from typing import TypeVar

from tidings.entrypoints.testing.message_rows import (
    NOON,
    NOON_NS,
    delivered,
    envelope,
    marked,
    message,
)
from tidings.ports.history import HistoryRow, Housekeeping
from tidings.ports.messages import EventRow, MessageStore, StoreTransaction
from tidings.ports.values import replace

T = TypeVar("T")
REFS = [f"m{digit * 28}" for digit in "0123456789"]


def past(ref: str, *, at_ns: int = NOON_NS) -> HistoryRow:
    """What would be kept of a delivered message."""
    return HistoryRow(
        number=0,
        ref=ref,
        evicted_at_ns=at_ns,
        cause="retention",
        retry_sha256="0" * 64,
        state="delivered",
        reason="provider-pipe-full-frame",
        outcome_unknown=False,
        evidence="written",
        accepted_at_ns=NOON_NS,
        ttl_ns=10,
        line={"messageRef": ref, "schemaVersion": 1},
    )


class HistoryContract:
    """Bind it by overriding ``make_store``."""

    def make_store(self) -> MessageStore:
        """The store under test, empty; every call within one test gives the same store."""
        raise NotImplementedError

    def change(self, work: Callable[[StoreTransaction], T]) -> T:
        """One transaction with time to wait."""
        return self.make_store().transact(work, wait_seconds=10)

    def look(self, work: Callable[[StoreTransaction], T]) -> T:
        """One view."""
        return self.make_store().view(work, wait_seconds=5)

    def leave(self, *rows: HistoryRow) -> None:
        """Stores the messages and lets them leave."""

        def work(tx: StoreTransaction) -> None:
            for row in rows:
                tx.insert_message(
                    delivered(row.ref),
                    events=[EventRow(ref=row.ref, at_ns=1, name="accepted", reason="")],
                )
                tx.reclaim(row)

        self.change(work)

    def test_a_message_that_leaves_is_in_history_and_nowhere_else(self) -> None:
        self.leave(past(REFS[0]), past(REFS[1]))
        first = self.look(lambda tx: tx.history(REFS[0]))
        assert first is not None
        assert replace(first, number=0) == past(REFS[0])
        assert list(first.line) == ["messageRef", "schemaVersion"]
        assert self.look(lambda tx: tx.message(REFS[0])) is None
        assert list(self.look(lambda tx: tx.events(REFS[0]))) == []
        assert self.look(lambda tx: tx.history(REFS[2])) is None
        assert self.look(lambda tx: tx.usage().history) == 2

    def test_leaving_is_whole_or_not_at_all(self) -> None:
        import pytest

        with pytest.raises(ValueError, match="not stored"):
            self.change(lambda tx: tx.reclaim(past(REFS[0])))
        assert self.look(lambda tx: tx.history(REFS[0])) is None

        def work(tx: StoreTransaction) -> None:
            tx.insert_message(delivered(REFS[0]))
            tx.reclaim(past(REFS[0]))
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            self.change(work)
        assert self.look(lambda tx: tx.history(REFS[0])) is None

    def test_history_is_read_in_the_order_of_leaving(self) -> None:
        self.leave(past(REFS[2]), past(REFS[0]), past(REFS[1]))
        rows = self.look(lambda tx: tx.history_after(0, limit=2))
        assert [row.ref for row in rows] == [REFS[2], REFS[0]]
        rest = self.look(lambda tx: tx.history_after(rows[-1].number, limit=9))
        assert [row.ref for row in rest] == [REFS[1]]

    def test_refs_that_left_are_found_by_their_beginning(self) -> None:
        self.leave(past("job-2/b"), past("job-1"), past("job-2/a"), past("job-3"))
        look = self.look
        assert list(look(lambda tx: tx.history_refs("job-2/", limit=9))) == ["job-2/b", "job-2/a"]
        assert list(look(lambda tx: tx.history_refs("job-", limit=1))) == ["job-2/b"]
        assert list(look(lambda tx: tx.history_refs("jab", limit=9))) == []

    def test_history_forgets_by_age_and_by_count(self) -> None:
        self.leave(*(past(ref, at_ns=NOON_NS + n) for n, ref in enumerate(REFS[:5])))
        assert self.change(lambda tx: tx.forget_history(before_ns=NOON_NS + 1, keep=9)) == 1
        assert self.change(lambda tx: tx.forget_history(before_ns=NOON_NS, keep=2)) == 2
        left = self.look(lambda tx: tx.history_after(0, limit=9))
        assert [row.ref for row in left] == REFS[3:5]
        assert self.change(lambda tx: tx.forget_history(before_ns=NOON_NS, keep=0)) == 2

    def test_what_is_overdue_is_found_by_either_clock(self) -> None:
        def work(tx: StoreTransaction) -> None:
            for ref, ttl_ns in zip(REFS[:3], (30, 10, 20), strict=True):
                tx.insert_message(message(ref, of=envelope(ref, ttl_ns=ttl_ns)))
            tx.insert_message(marked(REFS[3], of=envelope(REFS[3], ttl_ns=10)))
            tx.insert_message(delivered(REFS[4], of=envelope(REFS[4], ttl_ns=10)))

        self.change(work)

        def found(*, wall: int, boot: int, limit: int = 9) -> list[str]:
            now = replace(NOON, wall_ns=NOON_NS + wall, boottime_ns=NOON.boottime_ns + boot)
            return [row.ref for row in self.look(lambda tx: tx.overdue(now, limit=limit))]

        assert found(wall=9, boot=9) == []
        assert found(wall=10, boot=9) == [REFS[1], REFS[3]]
        assert found(wall=9, boot=20) == REFS[1:4]
        assert found(wall=9, boot=20, limit=1) == [REFS[1]]

    def test_ended_messages_are_found_by_their_end_and_by_their_number(self) -> None:
        ends = {REFS[0]: 30, REFS[1]: 10, REFS[2]: 20}

        def work(tx: StoreTransaction) -> None:
            for ref, at_ns in ends.items():
                tx.insert_message(delivered(ref, terminal_at_ns=NOON_NS + at_ns))
            tx.insert_message(message(REFS[3]))

        self.change(work)
        early = self.look(lambda tx: tx.ended_before(NOON_NS + 30, limit=9))
        assert [row.ref for row in early] == [REFS[1], REFS[2]]
        second = self.look(lambda tx: tx.ended_before(NOON_NS + 99, limit=1, skip=1))
        assert [row.ref for row in second] == [REFS[2]]
        ended = self.look(lambda tx: tx.ended(after_seq=1, limit=9))
        assert [row.ref for row in ended] == [REFS[1], REFS[2]]

    def test_housekeeping_is_kept_and_knows_the_last_number(self) -> None:
        nothing = Housekeeping(last_seq=0, room_until_seq=0, tidied_at_ns=0)
        assert self.look(lambda tx: tx.housekeeping()) == nothing
        self.change(lambda tx: tx.insert_message(message(REFS[0])))
        for until in (5, 7):
            kept = Housekeeping(last_seq=99, room_until_seq=until, tidied_at_ns=NOON_NS)
            self.change(lambda tx, kept=kept: tx.put_housekeeping(kept))  # type: ignore[misc]
            assert self.look(lambda tx: tx.housekeeping()) == replace(kept, last_seq=1)

    def test_usage_counts_what_is_there(self) -> None:
        before = self.look(lambda tx: tx.usage())
        large = replace(envelope(REFS[0]), payload="x" * 60_000)
        self.change(lambda tx: tx.insert_message(message(REFS[0], of=large)))
        after = self.look(lambda tx: tx.usage())
        assert (before.messages, after.messages, after.history) == (0, 1, 0)
        assert after.size_bytes - before.size_bytes > 50_000
