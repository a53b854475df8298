"""JSON in and out for the hook, without the 7 ms that importing ``json`` costs at start-up. Light.

``json`` loads ``re`` and ``enum``; its C core, which does the work, does not. An interpreter without
that core, and every text that the core refuses, is handed to ``json`` itself. Nothing here is
strict: strictness belongs to whoever reads what was kept.
"""

from __future__ import annotations

TYPE_CHECKING = False  # a type checker reads it as true; ``typing`` would cost a hook 10 ms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NoReturn, TypeAlias

    from tidings.ports.codec import ReadOnlyDocument, Value

    Scanner: TypeAlias = Callable[[str, int], tuple[Value, int]]
    Encoder: TypeAlias = Callable[[object, int], Iterable[str]]


class Plain:
    """What the C scanner asks of its context; this one hooks nothing."""

    strict = True
    array_hook = None
    object_hook = None
    object_pairs_hook: Callable[[list[tuple[str, Value]]], Value] | None = None
    parse_float: Callable[[str], float] = float
    parse_int = int
    parse_constant: Callable[[str], float] = float


def loads(text: str) -> Value:
    """The one JSON value in ``text``. Raises ``ValueError``, or ``RecursionError`` for deep nesting."""
    try:
        value, end = scanner(Plain)(text.lstrip(), 0)
        if not text.lstrip()[end:].strip():
            return value
    except (ImportError, AttributeError, TypeError, StopIteration, SystemError, ValueError):
        pass  # the core names an error only where ``json`` is loaded; let ``json`` say what is wrong
    import json

    told: Value = json.loads(text)
    return told


def dumps(record: ReadOnlyDocument) -> str:
    """A flat record (texts, whole numbers, flags, lists of texts) in one line of ASCII."""
    quote = _quote()
    members = (f"{quote(name)}:{_spell(value, quote)}" for name, value in record.items())
    return f"{{{','.join(members)}}}"


def _spell(value: Value, quote: Callable[[str], str]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return f"[{','.join(_spell(item, quote) for item in value)}]"
    if isinstance(value, str):
        return quote(value)
    raise TypeError(f"no flat value: {type(value).__name__}")


def scanner(context: type[Plain]) -> Scanner:
    """The C core by itself: text and a place to the value there and its end.

    Raises ``ImportError`` where there is no such core. What its scanner raises is not always what
    is wrong, since it names errors only where ``json`` is loaded.
    """
    from _json import make_scanner

    scan: Scanner = make_scanner(context)  # type: ignore[arg-type]
    return scan


def encoder(*, key_separator: str, item_separator: str) -> Encoder:
    """The C core by itself: a value and its depth to the parts of its text, in Unicode, no NaN.

    Raises ``ImportError`` where there is no such core. It does not watch for a value inside itself.
    """
    from _json import encode_basestring, make_encoder

    core: Encoder = make_encoder(
        None, _no_value, encode_basestring, None, key_separator, item_separator, False, False, False
    )
    return core


def _no_value(value: object) -> NoReturn:
    raise TypeError(f"no JSON value: {type(value).__name__}")


def _quote() -> Callable[[str], str]:
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        from json import dumps as encode_basestring_ascii
    return encode_basestring_ascii
