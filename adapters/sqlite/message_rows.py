"""Messages and their events as SQL rows."""

import sqlite3
from collections.abc import Iterator, Sequence

from tidings.adapters.sqlite.cells import Cell, Cells
from tidings.adapters.sqlite.statements import Statements
from tidings.domain.messages.record import check_record
from tidings.ports.clock import Instant
from tidings.ports.messages import EventRow, MessageRow
from tidings.ports.values import replace

_FIXED = (
    *("ref", "conversation_ref", "reply_to", "kind", "source_agent", "target_agent"),
    *("target_activation",),
    *("envelope", "payload_sha256", "accepted_at_ns", "accepted_boottime_ns", "boot_id"),
    *("ttl_ns", "consent_generation", "supersede_key"),
)
_MOVING = (
    *("state", "reason", "outcome_unknown", "terminal_at_ns"),
    *("transport", "writer_generation", "handoff_at_ns", "frame_sha256"),
    *("seen_at_ns", "unseen_at_ns", "answered_at_ns", "answer_ref"),
)
_MESSAGE = f"SELECT seq, {', '.join(_FIXED + _MOVING)} FROM messages WHERE "
_INSERT = (
    f"INSERT INTO messages ({', '.join(_FIXED + _MOVING)}) "
    f"VALUES ({', '.join('?' for _ in _FIXED + _MOVING)})"
)
_UPDATE = f"UPDATE messages SET {', '.join(f'{name} = ?' for name in _MOVING)} WHERE ref = ?"
_WAITING = "target_agent = ? AND terminal_at_ns IS NULL AND handoff_at_ns IS NULL"
_PERHAPS_OVER = f"""SELECT seq FROM (
        SELECT seq, target_activation, boot_id, accepted_boottime_ns, accepted_at_ns, ttl_ns
        FROM messages WHERE {_WAITING} ORDER BY seq LIMIT ?
    ) WHERE target_activation <> ?
        OR (boot_id = ? AND accepted_boottime_ns + ttl_ns <= ?)
        OR accepted_at_ns + ttl_ns <= ?
    UNION ALL
    SELECT seq FROM messages WHERE target_agent = ? AND terminal_at_ns IS NULL
        AND handoff_at_ns IS NOT NULL AND target_activation <> ?"""
_NEIGHBOURS = """SELECT max(ref) FROM messages WHERE ref < ?
    UNION ALL SELECT min(ref) FROM messages WHERE ref > ?"""
_EVENTS = "INSERT INTO events (ref, at_ns, name, reason) VALUES "
_BY_REF = "ref = ?"
_PLAIN_KIND = "agent"
LARGEST = "\U0010ffff"
"""Behind every ref with the same beginning."""


class MessageRows:
    """The messages' half of a transaction. Every row read is checked against its record's rules."""

    def __init__(self, statements: Statements) -> None:
        self._messages_sql = statements

    def message(self, ref: str) -> MessageRow | None:
        return next(self._messages(_BY_REF, ref), None)

    def refs_with_prefix(self, prefix: str, *, limit: int) -> Sequence[str]:
        sql = "SELECT ref FROM messages WHERE ref >= ? AND ref < ? ORDER BY seq LIMIT ?"
        rows = self._messages_sql.rows(sql, prefix, prefix + LARGEST, limit)
        return [cells.text() for cells in rows]

    def neighbours(self, ref: str) -> Sequence[str]:
        found = (cells.maybe_text() for cells in self._messages_sql.rows(_NEIGHBOURS, ref, ref))
        return [one for one in found if one is not None]

    def insert_message(self, row: MessageRow, *, events: Sequence[EventRow] = ()) -> MessageRow:
        if row.seq != 0:
            raise ValueError("a new message has no number yet")
        values = (*self._fixed_cells(row), *_moving_cells(row))
        try:
            cursor = self._messages_sql.change(_INSERT, *values)
        except sqlite3.IntegrityError as error:
            raise ValueError(f"the message {row.ref} is there already") from error
        self._messages_sql.origins_changed |= row.kind != _PLAIN_KIND
        self._add_events(events)
        return replace(row, seq=cursor.lastrowid or 0)

    def update_message(self, row: MessageRow) -> None:
        cursor = self._messages_sql.change(_UPDATE, *_moving_cells(row), row.ref)
        if cursor.rowcount != 1:
            raise ValueError(f"the message {row.ref} is not stored")

    def queue(
        self, target_agent: str, *, limit: int | None = None, but_kind: str = ""
    ) -> Sequence[MessageRow]:
        most = -1 if limit is None else limit
        if not but_kind:
            return list(self._messages(f"{_WAITING} ORDER BY seq LIMIT ?", target_agent, most))
        where = f"{_WAITING} AND kind <> ? ORDER BY seq LIMIT ?"
        return list(self._messages(where, target_agent, but_kind, most))

    def perhaps_over(
        self, target_agent: str, activation_id: str, *, now: Instant, limit: int
    ) -> Sequence[MessageRow]:
        values = (target_agent, limit, activation_id, now.boot_id, now.boottime_ns, now.wall_ns)
        found = self._messages_sql.rows(_PERHAPS_OVER, *values, target_agent, activation_id)
        numbers = sorted(cells.integer() for cells in found)
        return [row for number in numbers for row in self._messages("seq = ?", number)]

    def marked(self, target_agent: str) -> Sequence[MessageRow]:
        where = "target_agent = ? AND terminal_at_ns IS NULL AND handoff_at_ns IS NOT NULL"
        return self._in_order(where, target_agent)

    def unproved(self, target_agent: str) -> Sequence[MessageRow]:
        where = (
            "target_agent = ? AND state = 'delivered' AND answered_at_ns IS NULL "
            "AND seen_at_ns IS NULL AND unseen_at_ns IS NULL"
        )
        return self._in_order(where, target_agent)

    def replies(self, ref: str) -> Sequence[MessageRow]:
        return self._in_order("reply_to = ?", ref)

    def waiting_for_answer(self, source_agent: str) -> Sequence[MessageRow]:
        where = (
            "source_agent = ? AND answered_at_ns IS NULL "
            "AND state NOT IN ('refused', 'failed', 'expired', 'stale')"
        )
        return self._in_order(where, source_agent)

    def awaiting_reply_from(self, target_agent: str) -> Sequence[MessageRow]:
        where = "target_agent = ? AND state = 'delivered' AND answered_at_ns IS NULL"
        return self._in_order(where, target_agent)

    def waiting_with_key(self, target_agent: str, supersede_key: str) -> Sequence[MessageRow]:
        where = (
            "target_agent = ? AND supersede_key = ? "
            "AND terminal_at_ns IS NULL AND handoff_at_ns IS NULL"
        )
        return self._in_order(where, target_agent, supersede_key)

    def latest_of_pair(
        self, source_agent: str, target_agent: str, *, skip: int
    ) -> MessageRow | None:
        where = "source_agent = ? AND target_agent = ? ORDER BY seq DESC LIMIT 1 OFFSET ?"
        return next(self._messages(where, source_agent, target_agent, skip), None)

    def recent(self, *, after_seq: int, limit: int) -> Sequence[MessageRow]:
        return list(self._messages("seq > ? ORDER BY seq LIMIT ?", after_seq, limit))

    def add_event(self, row: EventRow) -> None:
        self._add_events([row])

    def events(self, ref: str) -> Sequence[EventRow]:
        sql = "SELECT ref, at_ns, name, reason FROM events WHERE ref = ? ORDER BY id"
        return [_event(cells) for cells in self._messages_sql.rows(sql, ref)]

    def _add_events(self, rows: Sequence[EventRow]) -> None:
        """All in one statement: each costs more than its rows."""
        if rows:
            marks = ", ".join("(?, ?, ?, ?)" for _ in rows)
            cells = [cell for row in rows for cell in (row.ref, row.at_ns, row.name, row.reason)]
            self._messages_sql.change(_EVENTS + marks, *cells)

    def _in_order(self, where: str, *values: Cell) -> list[MessageRow]:
        return list(self._messages(f"{where} ORDER BY seq", *values))

    def _messages(self, where: str, *values: Cell) -> Iterator[MessageRow]:
        for cells in self._messages_sql.rows(_MESSAGE + where, *values):
            row = _message(cells)
            check_record(row)
            yield row

    def _fixed_cells(self, row: MessageRow) -> tuple[Cell, ...]:
        return (
            *(row.ref, row.conversation_ref, row.reply_to),
            *(row.kind, row.source_agent, row.target_agent, row.target_activation),
            self._messages_sql.codec.encode(row.envelope).decode(),
            *(row.payload_sha256, row.accepted_at_ns, row.accepted_boottime_ns, row.boot_id),
            *(row.ttl_ns, row.consent_generation, row.supersede_key),
        )


def _moving_cells(row: MessageRow) -> tuple[Cell, ...]:
    return (
        *(row.state, row.reason, int(row.outcome_unknown), row.terminal_at_ns),
        *(row.transport, row.writer_generation, row.handoff_at_ns, row.frame_sha256),
        *(row.seen_at_ns, row.unseen_at_ns, row.answered_at_ns, row.answer_ref),
    )


def _message(cells: Cells) -> MessageRow:
    return MessageRow(
        seq=cells.integer(),
        ref=cells.text(),
        conversation_ref=cells.text(),
        reply_to=cells.maybe_text(),
        kind=cells.text(),
        source_agent=cells.maybe_text(),
        target_agent=cells.text(),
        target_activation=cells.text(),
        envelope=cells.document(),
        payload_sha256=cells.text(),
        accepted_at_ns=cells.integer(),
        accepted_boottime_ns=cells.integer(),
        boot_id=cells.text(),
        ttl_ns=cells.integer(),
        consent_generation=cells.maybe_integer(),
        supersede_key=cells.maybe_text(),
        state=cells.text(),
        reason=cells.text(),
        outcome_unknown=cells.flag(),
        terminal_at_ns=cells.maybe_integer(),
        transport=cells.maybe_text(),
        writer_generation=cells.maybe_text(),
        handoff_at_ns=cells.maybe_integer(),
        frame_sha256=cells.maybe_text(),
        seen_at_ns=cells.maybe_integer(),
        unseen_at_ns=cells.maybe_integer(),
        answered_at_ns=cells.maybe_integer(),
        answer_ref=cells.maybe_text(),
    )


def _event(cells: Cells) -> EventRow:
    return EventRow(ref=cells.text(), at_ns=cells.integer(), name=cells.text(), reason=cells.text())
