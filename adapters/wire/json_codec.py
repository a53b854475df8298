"""JSON in one strict form: one object, no repeated key, no number or letter that is none."""

import json
import math
from collections.abc import Iterable
from typing import Final

from tidings.ports.codec import Document, DocumentUnreadable, ReadOnlyDocument, Value


class JsonCodec:
    """The ``Codec`` of every stored record and every published line (RFC 8259, UTF-8)."""

    def encode(self, document: ReadOnlyDocument) -> bytes:
        """One line without spaces, keys in their order. Raises ``ValueError`` for NaN, infinity
        and lone surrogates."""
        return _ENCODER.encode(dict(document)).encode()

    def decode(self, data: bytes) -> Document:
        """The object in ``data``. Raises ``DocumentUnreadable``; the size is the caller's matter."""
        try:
            value: Value = _DECODER.decode(data.decode())
            if b"\\u" in data:  # an escape may hide a lone surrogate
                json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise DocumentUnreadable(f"no JSON: {_short(error)}") from error
        if not isinstance(value, dict):
            raise DocumentUnreadable("no JSON object")
        return value


def _unique(pairs: Iterable[tuple[str, Value]]) -> Document:
    document: Document = {}
    for name, value in pairs:
        if name in document:
            raise ValueError("a key is there twice")
        document[name] = value
    return document


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number beyond all bounds")
    return number


def _short(error: Exception) -> str:
    """The parser's word without the text it read: that may be anybody's secret."""
    return type(error).__name__ if isinstance(error, UnicodeError) else str(error)[:80]


# Made once: the module's own functions make one a call.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite
)
