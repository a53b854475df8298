"""JSON in one strict form: one object, no repeated key, no number or letter that is none."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from tidings.adapters.wire.raw_json import Plain, encoder, scanner
from tidings.ports.codec import DocumentUnreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tidings.adapters.wire.raw_json import Encoder, Scanner
    from tidings.ports.codec import Document, ReadOnlyDocument, Value

_BLANKS = " \t\r\n"
"""All that JSON takes for white space."""


class JsonCodec:
    """The ``Codec`` of every stored record and every published line (RFC 8259, UTF-8)."""

    def encode(self, document: ReadOnlyDocument) -> bytes:
        """One line without spaces, keys in their order. Raises ``ValueError`` for NaN, infinity
        and lone surrogates."""
        return "".join(_encoder()(dict(document), 0)).encode()

    def decode(self, data: bytes) -> Document:
        """The object in ``data``. Raises ``DocumentUnreadable``; the size is the caller's matter."""
        try:
            value = _value_in(data.decode())
            if b"\\u" in data:  # an escape may hide a lone surrogate
                _require_letters(value)
        except (ValueError, RecursionError) as error:
            raise DocumentUnreadable(f"no JSON: {_short(error)}") from error
        if not isinstance(value, dict):
            raise DocumentUnreadable("no JSON object")
        return value


def _value_in(text: str) -> Value:
    """The one value in ``text``, by the C core alone where that is content with it."""
    plain = text.strip(_BLANKS)
    try:
        value, end = strict_scanner()(plain, 0)
        if end == len(plain):
            return value
    except (ImportError, AttributeError, TypeError, StopIteration, SystemError, ValueError):
        pass  # the core names an error only where ``json`` is loaded; let ``json`` say what is wrong
    return _told_by_json(text)


def _told_by_json(text: str) -> Value:
    from json import loads

    value: Value = loads(
        text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite
    )
    return value


def _require_letters(value: Value) -> None:
    from json import dumps

    dumps(value, ensure_ascii=False).encode()


def _unique(pairs: Sequence[tuple[str, Value]]) -> Document:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("a key is there twice")
    return document


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number beyond all bounds")
    return number


class _Strict(Plain):
    """What the C core asks: one object, no repeated key, no number that is none."""

    object_pairs_hook = staticmethod(_unique)
    parse_float = staticmethod(_finite)
    parse_constant = staticmethod(_refuse)


@cache
def strict_scanner() -> Scanner:
    """The core, set to be strict; made once in a process. Raises ``ImportError``."""
    return scanner(_Strict)


def _short(error: Exception) -> str:
    """The parser's word without the text it read: that may be anybody's secret."""
    return type(error).__name__ if isinstance(error, UnicodeError) else str(error)[:80]


@cache
def _encoder() -> Encoder:
    """The C core, made once in a process: ``json`` would make one a call."""
    try:
        return encoder(key_separator=":", item_separator=",")
    except ImportError:
        from json import JSONEncoder

        told = JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return lambda value, _: (told.encode(value),)
