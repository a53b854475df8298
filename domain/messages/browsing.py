"""Looking through many messages: lists, threads and the stream of events; nothing here writes."""

from collections.abc import Callable, Sequence

from tidings.domain.messages.limits import SHORTEST_PREFIX
from tidings.domain.messages.receipt import MessageView
from tidings.domain.messages.refs import names_fan_out
from tidings.domain.messages.views import view_of
from tidings.ports.clock import Clock, Instant
from tidings.ports.messages import (
    MessageRow,
    MessageStore,
    NumberedEvent,
    StoreTransaction,
)

PAGE = 200
MOST_LOOKED_AT = 10_000
"""Rows that one listing looks at, at most, to find those that are wanted."""

MOST_IN_THREAD = 500


class Browser:
    """Reads for people. Deadlines that have passed show as passed, though nothing is written (D20)."""

    def __init__(self, *, store: MessageStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def newest(
        self, *, limit: int, wanted: Callable[[MessageRow], bool]
    ) -> tuple[MessageView, ...]:
        """The newest ``limit`` messages that are ``wanted``, the oldest of them first.

        At most the newest 10,000 are looked at.
        """
        now = self._clock.now()
        return self._store.view(lambda tx: _newest(tx, limit, wanted, now))

    def thread(self, ref: str) -> tuple[MessageView, ...]:
        """The question that began it, and every answer under it, in the order of acceptance; 500 at
        most. ``ref`` as in ``PostOffice.view``, with the same errors. Of a fan-out, which is many
        messages under one ref, those that are stored."""
        now = self._clock.now()
        return self._store.view(lambda tx: _thread(tx, ref, now))

    def latest_events(self, *, limit: int) -> Sequence[NumberedEvent]:
        """The last events of all messages, oldest first."""
        return self._store.view(lambda tx: tx.latest_events(limit=limit))

    def events_after(self, number: int, *, limit: int) -> Sequence[NumberedEvent]:
        """What happened after the event ``number``, oldest first."""
        return self._store.view(lambda tx: tx.events_after(number, limit=limit))

    def open_targets(self) -> Sequence[str]:
        """Agents and boxes for which something is on its way."""
        return self._store.view(lambda tx: tx.open_targets())


def _newest(
    tx: StoreTransaction, limit: int, wanted: Callable[[MessageRow], bool], now: Instant
) -> tuple[MessageView, ...]:
    found: list[MessageRow] = []
    before: int | None = None
    for _ in range(MOST_LOOKED_AT // PAGE):
        page = tx.newest(before_seq=before, limit=PAGE)
        found += [row for row in page if wanted(row)]
        if len(page) < PAGE or len(found) >= limit:
            break
        before = page[-1].seq
    return tuple(view_of(tx, row.ref, now) for row in found[:limit][::-1])


def _thread(tx: StoreTransaction, ref: str, now: Instant) -> tuple[MessageView, ...]:
    same = tx.refs_with_prefix(ref, limit=MOST_IN_THREAD) if len(ref) >= SHORTEST_PREFIX else ()
    if names_fan_out(ref, same):
        return tuple(view_of(tx, one, now) for one in same)
    root = view_of(tx, ref, now).row
    for _ in range(MOST_IN_THREAD):
        before = tx.message(root.reply_to) if root.reply_to is not None else None
        if before is None:
            break
        root = before
    rows, next_up = [root], [root]
    while next_up and len(rows) < MOST_IN_THREAD:
        answers = tx.replies(next_up.pop(0).ref)
        rows += answers
        next_up += answers
    in_order = sorted(rows, key=lambda row: row.seq)[:MOST_IN_THREAD]
    return tuple(view_of(tx, row.ref, now) for row in in_order)
