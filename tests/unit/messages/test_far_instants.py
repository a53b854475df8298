"""Instants for people never fail, however far they are."""

import pytest

from tidings.domain.instants import from_rfc3339, to_rfc3339

SECOND_NS = 1_000_000_000


@pytest.mark.parametrize(
    ("wall_ns", "shown"),
    [
        (-62_135_596_800 * SECOND_NS, "0001-01-01T00:00:00Z"),
        (-62_135_596_801 * SECOND_NS, "0001-01-01T00:00:00Z"),
        (-(1 << 200), "0001-01-01T00:00:00Z"),
        (-30_610_224_000 * SECOND_NS + 1, "1000-01-01T00:00:00.000000001Z"),
        (0, "1970-01-01T00:00:00Z"),
        (SECOND_NS + 500, "1970-01-01T00:00:01.0000005Z"),
        (253_402_300_799 * SECOND_NS, "9999-12-31T23:59:59Z"),
        (253_402_300_800 * SECOND_NS, "9999-12-31T23:59:59Z"),
        (1 << 200, "9999-12-31T23:59:59Z"),
    ],
)
def test_an_instant_is_shown(wall_ns: int, shown: str) -> None:
    assert to_rfc3339(wall_ns) == shown
    if len(shown) == len("1970-01-01T00:00:00Z"):
        assert to_rfc3339(from_rfc3339(shown)) == shown
