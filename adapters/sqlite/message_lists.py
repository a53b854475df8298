"""Lists of messages and events for those who look on, as SQL."""

from collections.abc import Sequence

from tidings.adapters.sqlite.cells import Cells
from tidings.adapters.sqlite.message_rows import MessageRows
from tidings.ports.messages import EventRow, MessageRow, NumberedEvent

_EVENT = "SELECT id, ref, at_ns, name, reason FROM events"


class MessageLists(MessageRows):
    """The messages' half of a transaction, with its lists."""

    def newest(self, *, before_seq: int | None, limit: int) -> Sequence[MessageRow]:
        before = before_seq if before_seq is not None else 2**63 - 1
        return list(self._messages("seq < ? ORDER BY seq DESC LIMIT ?", before, limit))

    def open_targets(self) -> Sequence[str]:
        sql = (
            "SELECT DISTINCT target_agent FROM messages "
            "WHERE terminal_at_ns IS NULL ORDER BY target_agent"
        )
        return [cells.text() for cells in self._messages_sql.rows(sql)]

    def latest_events(self, *, limit: int) -> Sequence[NumberedEvent]:
        rows = self._messages_sql.rows(f"{_EVENT} ORDER BY id DESC LIMIT ?", limit)
        return [_numbered(cells) for cells in rows][::-1]

    def events_after(self, number: int, *, limit: int) -> Sequence[NumberedEvent]:
        sql = f"{_EVENT} WHERE id > ? ORDER BY id LIMIT ?"
        return [_numbered(cells) for cells in self._messages_sql.rows(sql, number, limit)]


def _numbered(cells: Cells) -> NumberedEvent:
    number = cells.integer()
    event = EventRow(
        ref=cells.text(), at_ns=cells.integer(), name=cells.text(), reason=cells.text()
    )
    return NumberedEvent(number=number, event=event)
