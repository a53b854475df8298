"""When a message's time is up (D32): elapsed time within a boot, the wall clock across boots."""

from tidings.ports.clock import Instant
from tidings.ports.messages import MessageRow


def elapsed_ns(row: MessageRow, now: Instant) -> int:
    """Nanoseconds since acceptance, at least 0. Suspend counts; clock jumps within a boot do not."""
    if row.boot_id and row.boot_id == now.boot_id:
        return max(0, now.boottime_ns - row.accepted_boottime_ns)
    return max(0, now.wall_ns - row.accepted_at_ns)


def remaining_ns(row: MessageRow, now: Instant) -> int:
    """What is left of the message's life; 0 or less once it is over."""
    return row.ttl_ns - elapsed_ns(row, now)


def is_past(row: MessageRow, now: Instant) -> bool:
    """Whether the deadline is reached; the very instant counts (M77)."""
    return remaining_ns(row, now) <= 0


def observed_at_ns(row: MessageRow, now: Instant) -> int:
    """The wall time to record for something seen now: never earlier than acceptance (D32)."""
    return max(now.wall_ns, row.accepted_at_ns)


def since_handoff_ns(row: MessageRow, now: Instant) -> int:
    """Nanoseconds since the mark, at least 0; a jump of the wall clock after it does not count."""
    before_ns = max(0, (row.handoff_at_ns or row.accepted_at_ns) - row.accepted_at_ns)
    return max(0, elapsed_ns(row, now) - before_ns)
