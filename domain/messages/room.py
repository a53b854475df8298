"""Making room: what ends, what leaves, and in which order (M 7.6, D31), as work in a transaction."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from tidings.domain.messages.deadline import is_past
from tidings.domain.messages.delivery import State
from tidings.domain.messages.hold import EXPIRED, LOST
from tidings.domain.messages.limits import LONGEST_PAYLOAD_BYTES, SECOND_NS
from tidings.domain.messages.past import past_of
from tidings.domain.messages.settling import settle
from tidings.ports.clock import Instant
from tidings.ports.history import Housekeeping, StoreUsage
from tidings.ports.messages import MessageRow, StoreTransaction
from tidings.ports.values import dataclass

DAY_NS: Final = 24 * 3600 * SECOND_NS
TIDY_EVERY_NS: Final = 60 * SECOND_NS
"""How often an acceptance looks for what is over and old, while there is room."""

AT_ONCE: Final = 256
"""Messages that one acceptance ends, and that it moves, at most: no sender pays for a long pause."""

WRITE_SURELY_OVER_NS: Final = 60 * SECOND_NS
"""A mark older than this has no writer any more: the outcome is written within 30 s (D30)."""

LARGEST_MESSAGE_BYTES: Final = 4 * LONGEST_PAYLOAD_BYTES
"""More than one message can need in the file: its text escaped, its indexes and its events."""

CAPACITY, RETENTION = "capacity", "retention"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreLimits:
    """How much the store keeps. ``records`` counts messages, and rows of history, each;
    ``size_bytes`` is what both may need in the file. Ended messages leave after ``retention_ns``,
    and history forgets after ``history_retention_ns``."""

    records: int = 200_000
    size_bytes: int = 512 * 1024 * 1024
    retention_ns: int = DAY_NS
    history_retention_ns: int = 90 * DAY_NS


SHIPPED_LIMITS: Final = StoreLimits()


def make_room(
    tx: StoreTransaction, now: Instant, limits: StoreLimits, *, pins: AbstractSet[str] = frozenset()
) -> bool:
    """Makes room for one more message where that is due; False where the store is full.

    In the order of M 7.6: what is overdue ends, what ended long ago leaves, then the oldest that
    ended. What waits is never moved, nor ``pins``, nor what can still be answered. Room is counted
    rarely: the count says up to which number it lasts, since leaving only adds to it.
    """
    kept = tx.housekeeping()
    is_tidy = 0 <= now.wall_ns - kept.tidied_at_ns < TIDY_EVERY_NS
    if is_tidy and kept.last_seq < kept.room_until_seq:
        return True
    protection = _Protection(tx, now, pins)
    settled = _settle_overdue(tx, now)
    moved = _reclaim_old(tx, now, limits, protection)
    tx.forget_history(before_ns=now.wall_ns - limits.history_retention_ns, keep=limits.records)
    room = _reclaim_oldest(tx, now, limits, protection)
    is_done = max(settled, moved) < AT_ONCE
    tx.put_housekeeping(
        Housekeeping(
            last_seq=kept.last_seq,
            room_until_seq=kept.last_seq + max(0, room),
            tidied_at_ns=now.wall_ns if is_done else 0,
        )
    )
    return room > 0


class _Protection:
    """What may not leave: pins, delivered messages that can still be answered, and their answers."""

    def __init__(self, tx: StoreTransaction, now: Instant, pins: AbstractSet[str]) -> None:
        self._tx, self._now, self._pins = tx, now, pins

    def covers(self, row: MessageRow) -> bool:
        """Whether ``row``, or the message it answers, is protected."""
        if self._is_protected(row):
            return True
        original = self._tx.message(row.reply_to) if row.reply_to else None
        return original is not None and self._is_protected(original)

    def _is_protected(self, row: MessageRow) -> bool:
        is_answerable = row.state == State.DELIVERED and not is_past(row, self._now)
        return is_answerable or row.ref in self._pins


def _settle_overdue(tx: StoreTransaction, now: Instant) -> int:
    """Ends what is overdue; a mark without an outcome only once its writer is surely gone."""
    count = 0
    for row in tx.overdue(now, limit=AT_ONCE):
        end = EXPIRED if row.handoff_at_ns is None else LOST
        young = now.wall_ns - (row.handoff_at_ns or 0) < WRITE_SURELY_OVER_NS
        if is_past(row, now) and not (row.handoff_at_ns is not None and young):
            settle(tx, row, end, now)
            count += 1
    return count


def _reclaim_old(
    tx: StoreTransaction, now: Instant, limits: StoreLimits, protection: _Protection
) -> int:
    """Moves what ended longer ago than is kept, strictly (M80)."""
    moved = skipped = 0
    while moved < AT_ONCE:
        rows = tx.ended_before(now.wall_ns - limits.retention_ns, limit=AT_ONCE, skip=skipped)
        if not rows:
            break
        free = [row for row in rows if not protection.covers(row)][: AT_ONCE - moved]
        for row in free:
            tx.reclaim(past_of(row, cause=RETENTION, at_ns=now.wall_ns))
        moved += len(free)
        skipped += len(rows) - len(free)
    return moved


def _reclaim_oldest(
    tx: StoreTransaction, now: Instant, limits: StoreLimits, protection: _Protection
) -> int:
    """Moves the oldest that ended until one more fits, and a thousandth of the limit beyond, so
    that the next count is not due at once. The messages there is room for; 0 or less when full."""
    room = room_of(tx.usage(), limits)
    if room > 0:
        return room
    wanted = min(AT_ONCE, 1 - room + limits.records // 1_000)
    for row in _free_by_age(tx, protection, limit=wanted):
        tx.reclaim(past_of(row, cause=CAPACITY, at_ns=now.wall_ns))
    return room_of(tx.usage(), limits)


def _free_by_age(
    tx: StoreTransaction, protection: _Protection, *, limit: int
) -> Iterator[MessageRow]:
    """The oldest ended messages that may leave, at most ``limit``."""
    after_seq, found = 0, 0
    while rows := tx.ended(after_seq=after_seq, limit=AT_ONCE):
        after_seq = rows[-1].seq
        for row in rows:
            if found < limit and not protection.covers(row):
                found += 1
                yield row
        if found == limit:
            return


def room_of(usage: StoreUsage, limits: StoreLimits) -> int:
    """How many messages surely fit, by count and by bytes; 0 or less when it is full."""
    by_bytes = (limits.size_bytes - usage.size_bytes) // LARGEST_MESSAGE_BYTES
    return min(limits.records - usage.messages, by_bytes)
