"""Comparing bytes with what is committed; a difference shows as a difference of texts."""

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "fixtures" / "golden"


def matches_golden(name: str, data: bytes) -> bool:
    """Whether ``data`` is what ``fixtures/golden/NAME`` holds.

    To accept a wanted change, write the new bytes there and read the difference before committing.
    """
    assert data.decode() == (FOLDER / name).read_text(encoding="utf-8")
    return True
