"""The history of the store in memory."""

from collections.abc import Sequence
from copy import deepcopy

from tidings.adapters.memory.message_rows import MemoryMessages, perhaps_past
from tidings.ports.clock import Instant
from tidings.ports.history import HistoryRow, Housekeeping, StoreUsage
from tidings.ports.messages import MessageRow
from tidings.ports.values import replace


class MemoryTransaction(MemoryMessages):
    """A whole transaction: the messages, and what becomes of them in the end."""

    def history(self, ref: str) -> HistoryRow | None:
        row = self._rows.history.get(ref)
        return None if row is None else _copied(row)

    def history_refs(self, prefix: str, *, limit: int) -> Sequence[str]:
        return [ref for ref in self._rows.history if ref.startswith(prefix)][:limit]

    def history_after(self, number: int, *, limit: int) -> Sequence[HistoryRow]:
        found = [row for row in self._rows.history.values() if row.number > number]
        return [_copied(row) for row in found[:limit]]

    def reclaim(self, row: HistoryRow) -> None:
        rows = self._writing()
        if row.ref not in rows.messages:
            raise ValueError(f"the message {row.ref} is not stored")
        if row.ref in rows.history:
            raise ValueError(f"the message {row.ref} is in history already")
        rows.last_number += 1
        rows.history[row.ref] = replace(_copied(row), number=rows.last_number)
        del rows.messages[row.ref]
        rows.events = tuple(event for event in rows.events if event.ref != row.ref)

    def forget_history(self, *, before_ns: int, keep: int) -> int:
        rows = self._writing()
        young = [row for row in rows.history.values() if row.evicted_at_ns >= before_ns]
        kept = young[-keep:] if keep else []
        forgotten = len(rows.history) - len(kept)
        rows.history = {row.ref: row for row in kept}
        return forgotten

    def overdue(self, now: Instant, *, limit: int) -> Sequence[MessageRow]:
        found = self._where(lambda row: row.terminal_at_ns is None and perhaps_past(row, now))
        return found[:limit]

    def ended_before(self, wall_ns: int, *, limit: int, skip: int = 0) -> Sequence[MessageRow]:
        found = self._where(lambda row: row.terminal_at_ns is not None)
        early = [row for row in found if (row.terminal_at_ns or 0) < wall_ns]
        return sorted(early, key=lambda row: row.terminal_at_ns or 0)[skip : skip + limit]

    def ended(self, *, after_seq: int, limit: int) -> Sequence[MessageRow]:
        return self._where(lambda row: row.seq > after_seq and row.terminal_at_ns is not None)[
            :limit
        ]

    def usage(self) -> StoreUsage:
        size = sum(len(str(row.envelope)) for row in self._rows.messages.values())
        size += sum(len(str(row.line)) for row in self._rows.history.values())
        return StoreUsage(
            messages=len(self._rows.messages), history=len(self._rows.history), size_bytes=size
        )

    def housekeeping(self) -> Housekeeping:
        return replace(self._rows.housekeeping, last_seq=self._rows.last_seq)

    def put_housekeeping(self, kept: Housekeeping) -> None:
        self._writing().housekeeping = kept


def _copied(row: HistoryRow) -> HistoryRow:
    return replace(row, line=deepcopy(row.line))
