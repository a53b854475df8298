"""Instants for people never fail, however far they are."""

import pytest

from tidings.domain.instants import to_rfc3339

SECOND_NS = 1_000_000_000


@pytest.mark.parametrize(
    ("wall_ns", "shown"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (SECOND_NS + 500, "1970-01-01T00:00:01.0000005Z"),
        (253_402_300_799 * SECOND_NS, "9999-12-31T23:59:59Z"),
        (253_402_300_800 * SECOND_NS, "9999-12-31T23:59:59Z"),
        (1 << 200, "9999-12-31T23:59:59Z"),
    ],
)
def test_an_instant_is_shown(wall_ns: int, shown: str) -> None:
    assert to_rfc3339(wall_ns) == shown
