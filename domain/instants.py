"""Instants for people and scripts. Inside, an instant is an integer of nanoseconds (D32)."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

_SHAPE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z", re.ASCII | re.DOTALL)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_SECOND = int((datetime(1, 1, 1, tzinfo=UTC) - _EPOCH).total_seconds())
_LAST_SECOND = int((datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC) - _EPOCH).total_seconds())


def to_rfc3339(wall_ns: int) -> str:
    """RFC 3339 in UTC with nanoseconds, trailing zeros trimmed: an exact second has no fraction (S 1.4).

    An instant that the format cannot hold is shown as the last second of the year 9999, or as the
    first of the year 1.
    """
    seconds, nanoseconds = divmod(wall_ns, 1_000_000_000)
    if not _FIRST_SECOND <= seconds <= _LAST_SECOND:
        seconds, nanoseconds = (_LAST_SECOND if seconds > 0 else _FIRST_SECOND), 0
    fraction = f".{nanoseconds:09d}".rstrip("0") if nanoseconds else ""
    return f"{_whole(seconds)}{fraction}Z"


@lru_cache(maxsize=16)
def _whole(seconds: int) -> str:
    # Not strftime: the C library writes the year 1 with one digit.
    return (_EPOCH + timedelta(seconds=seconds)).isoformat().removesuffix("+00:00")


def from_rfc3339(text: str) -> int:
    """Nanoseconds since 1970. Raises ``ValueError`` for any other shape than ours (UTC, ``Z``)."""
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:40]!r} is no instant")
    elapsed = datetime.fromisoformat(f"{found[1]}+00:00") - _EPOCH
    seconds = elapsed.days * 86_400 + elapsed.seconds
    return seconds * 1_000_000_000 + int((found[2] or "").ljust(9, "0"))
