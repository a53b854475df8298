"""Reading instants back, and showing them to people (M 1.6, D32). Writing is ``domain.instants``."""

import re
from datetime import UTC, datetime
from typing import Final

from tidings.domain.messages.limits import SECOND_NS

_SHAPE: Final = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z", re.ASCII | re.DOTALL
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def from_rfc3339(text: str) -> int:
    """Nanoseconds since 1970. Raises ``ValueError`` for any other shape than ours."""
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:40]!r} is no instant")
    elapsed = datetime.fromisoformat(f"{found[1]}+00:00") - _EPOCH
    seconds = elapsed.days * 86_400 + elapsed.seconds
    return seconds * SECOND_NS + int((found[2] or "").ljust(9, "0"))


def to_clock_text(at_ns: int) -> str:
    """``2026-11-30 03:19:35`` (UTC), for people and models."""
    return datetime.fromtimestamp(at_ns // SECOND_NS, UTC).strftime("%Y-%m-%d %H:%M:%S")
