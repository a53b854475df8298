"""Showing instants to people and models (M 1.6). Storing them is ``domain.instants``."""

from datetime import UTC, datetime

from tidings.domain.messages.limits import SECOND_NS


def to_clock_text(at_ns: int) -> str:
    """``2026-11-30 03:19:35`` (UTC), for people and models."""
    return datetime.fromtimestamp(at_ns // SECOND_NS, UTC).strftime("%Y-%m-%d %H:%M:%S")
