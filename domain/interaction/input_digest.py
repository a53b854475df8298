"""A short name for a tool's input, equal for equal input. Light: the hook imports it."""

from __future__ import annotations

from tidings.domain.identity.digest import sha256

TYPE_CHECKING = False  # a type checker reads it as true; see ``digest``

if TYPE_CHECKING:
    from collections.abc import Callable

    from tidings.ports.codec import Value

DIGEST_LENGTH = 16
"""Hex digits kept: enough to tell the calls of one session apart, too few to be a secret's proof."""


def digest_input(value: Value) -> str:
    """``DIGEST_LENGTH`` hex digits over the plain value, whatever order its keys came in.

    Raises ``RecursionError`` for a value nested beyond the interpreter's limit.
    """
    parts: list[str] = []
    _spell(value, parts.append)
    return sha256("".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_LENGTH]


def _spell(value: Value, add: Callable[[str], None]) -> None:
    if isinstance(value, dict):
        add(f"{{{len(value)}:")
        for key in sorted(value):
            _spell(key, add)
            _spell(value[key], add)
    elif isinstance(value, list):
        add(f"[{len(value)}:")
        for item in value:
            _spell(item, add)
    elif isinstance(value, str):
        add(f'"{len(value)}:{value}')
    else:
        add(f"{value!r};")
