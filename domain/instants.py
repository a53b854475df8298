"""Instants for people and scripts. Inside, an instant is an integer of nanoseconds (D32)."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_SECOND = int((datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC) - _EPOCH).total_seconds())


def to_rfc3339(wall_ns: int) -> str:
    """RFC 3339 in UTC with nanoseconds, trailing zeros trimmed: an exact second has no fraction (S 1.4).

    A later instant than the format can hold is shown as the last second of the year 9999.
    """
    seconds, nanoseconds = divmod(wall_ns, 1_000_000_000)
    if seconds > _LAST_SECOND:
        seconds, nanoseconds = _LAST_SECOND, 0
    whole = (_EPOCH + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S")
    fraction = f".{nanoseconds:09d}".rstrip("0") if nanoseconds else ""
    return f"{whole}{fraction}Z"
