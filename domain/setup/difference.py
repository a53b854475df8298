"""What a change of a text file is, as lines for a person."""

from difflib import unified_diff

CONTEXT_LINES = 2


def difference(before: str, after: str) -> tuple[str, ...]:
    """The lines that go (``-``) and come (``+``), with two around them; empty where nothing does."""
    lines = unified_diff(before.splitlines(), after.splitlines(), n=CONTEXT_LINES, lineterm="")
    return tuple(lines)[2:]
