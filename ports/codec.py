"""Documents: ordered plain values, and the port that turns them into bytes and back."""

from collections.abc import Mapping
from typing import Protocol, TypeAlias

Value: TypeAlias = "None | bool | int | float | str | list[Value] | dict[str, Value]"
Document: TypeAlias = "dict[str, Value]"
ReadOnlyDocument: TypeAlias = "Mapping[str, Value]"


class DocumentUnreadable(ValueError):
    """Bytes that are no single JSON object in strict UTF-8 without repeated keys."""


class Codec(Protocol):
    """JSON as the product writes it: insertion order kept, no spaces, UTF-8, one line."""

    def encode(self, document: ReadOnlyDocument) -> bytes:
        """The document in one line, without a line break. Lone surrogates are a ``ValueError``."""
        ...

    def decode(self, data: bytes) -> Document:
        """The object in ``data``. Raises ``DocumentUnreadable`` for anything else."""
        ...
