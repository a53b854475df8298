"""Messages that left, and the room they left, as SQL rows (D31)."""

from collections.abc import Iterator, Sequence
from typing import Final

from tidings.adapters.sqlite.cells import Cell, Cells
from tidings.adapters.sqlite.message_lists import MessageLists
from tidings.adapters.sqlite.message_rows import LARGEST
from tidings.ports.clock import Instant
from tidings.ports.history import HistoryRow, Housekeeping, StoreUsage
from tidings.ports.messages import MessageRow

_NAMES: Final = (
    *("ref", "evicted_at_ns", "cause", "retry_sha256", "state", "reason", "outcome_unknown"),
    *("evidence", "accepted_at_ns", "ttl_ns", "line"),
)
_SELECT: Final = f"SELECT number, {', '.join(_NAMES)} FROM history WHERE "
_INSERT: Final = (
    f"INSERT INTO history ({', '.join(_NAMES)}) VALUES ({', '.join('?' for _ in _NAMES)})"
)
_OVERDUE: Final = """terminal_at_ns IS NULL AND (
        accepted_at_ns + ttl_ns <= ? OR (boot_id = ? AND accepted_boottime_ns + ttl_ns <= ?)
    ) ORDER BY seq LIMIT ?"""
_USAGE: Final = """SELECT (SELECT count(*) FROM messages), (SELECT count(*) FROM history),
    (SELECT page_count FROM pragma_page_count), (SELECT freelist_count FROM pragma_freelist_count),
    (SELECT page_size FROM pragma_page_size)"""
_HOUSEKEEPING: Final = """SELECT
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'messages'), 0),
    coalesce((SELECT value FROM meta WHERE name = 'room_until_seq'), 0),
    coalesce((SELECT value FROM meta WHERE name = 'tidied_at_ns'), 0)"""


class HistoryRows(MessageLists):
    """The messages' half of a transaction, with what becomes of them in the end."""

    def history(self, ref: str) -> HistoryRow | None:
        return next(self._history("ref = ?", ref), None)

    def history_refs(self, prefix: str, *, limit: int) -> Sequence[str]:
        sql = "SELECT ref FROM history WHERE ref >= ? AND ref < ? ORDER BY number LIMIT ?"
        rows = self._messages_sql.rows(sql, prefix, prefix + LARGEST, limit)
        return [cells.text() for cells in rows]

    def history_after(self, number: int, *, limit: int) -> Sequence[HistoryRow]:
        return list(self._history("number > ? ORDER BY number LIMIT ?", number, limit))

    def reclaim(self, row: HistoryRow) -> None:
        line = self._messages_sql.codec.encode(row.line).decode()
        cells = (*_fixed_cells(row), line)
        self._messages_sql.change(_INSERT, *cells)
        self._messages_sql.change("DELETE FROM events WHERE ref = ?", row.ref)
        gone = self._messages_sql.change("DELETE FROM messages WHERE ref = ?", row.ref)
        if gone.rowcount != 1:
            raise ValueError(f"the message {row.ref} is not stored")

    def forget_history(self, *, before_ns: int, keep: int) -> int:
        change = self._messages_sql.change
        aged = change("DELETE FROM history WHERE evicted_at_ns < ?", before_ns).rowcount
        last = "(SELECT number FROM history ORDER BY number DESC LIMIT 1 OFFSET ?)"
        return aged + change(f"DELETE FROM history WHERE number <= {last}", keep).rowcount

    def overdue(self, now: Instant, *, limit: int) -> Sequence[MessageRow]:
        return list(self._messages(_OVERDUE, now.wall_ns, now.boot_id, now.boottime_ns, limit))

    def ended_before(self, wall_ns: int, *, limit: int, skip: int = 0) -> Sequence[MessageRow]:
        where = "terminal_at_ns < ? ORDER BY terminal_at_ns, seq LIMIT ? OFFSET ?"
        return list(self._messages(where, wall_ns, limit, skip))

    def ended(self, *, after_seq: int, limit: int) -> Sequence[MessageRow]:
        where = "seq > ? AND +terminal_at_ns IS NOT NULL ORDER BY seq LIMIT ?"
        return list(self._messages(where, after_seq, limit))

    def usage(self) -> StoreUsage:
        (cells,) = self._messages_sql.rows(_USAGE)
        messages, history = cells.integer(), cells.integer()
        pages, free, page_bytes = cells.integer(), cells.integer(), cells.integer()
        return StoreUsage(
            messages=messages, history=history, size_bytes=(pages - free) * page_bytes
        )

    def housekeeping(self) -> Housekeeping:
        (cells,) = self._messages_sql.rows(_HOUSEKEEPING)
        return Housekeeping(
            last_seq=cells.integer(),
            room_until_seq=cells.integer(),
            tidied_at_ns=cells.integer(),
        )

    def put_housekeeping(self, kept: Housekeeping) -> None:
        for name, value in (
            ("room_until_seq", kept.room_until_seq),
            ("tidied_at_ns", kept.tidied_at_ns),
        ):
            self._messages_sql.upsert("meta", ("name", "value"), (name, value))

    def _history(self, where: str, *values: Cell) -> Iterator[HistoryRow]:
        return (_row(cells) for cells in self._messages_sql.rows(_SELECT + where, *values))


def _fixed_cells(row: HistoryRow) -> tuple[Cell, ...]:
    return (
        *(row.ref, row.evicted_at_ns, row.cause, row.retry_sha256),
        *(row.state, row.reason, int(row.outcome_unknown), row.evidence),
        *(row.accepted_at_ns, row.ttl_ns),
    )


def _row(cells: Cells) -> HistoryRow:
    return HistoryRow(
        number=cells.integer(),
        ref=cells.text(),
        evicted_at_ns=cells.integer(),
        cause=cells.text(),
        retry_sha256=cells.text(),
        state=cells.text(),
        reason=cells.text(),
        outcome_unknown=cells.flag(),
        evidence=cells.text(),
        accepted_at_ns=cells.integer(),
        ttl_ns=cells.integer(),
        line=cells.document(),
    )
