"""Reading cells strictly: SQLite would put any type into any column, so every type is checked."""

from collections.abc import Sequence
from typing import TypeAlias

from tidings.ports.codec import Codec, Document, DocumentUnreadable
from tidings.ports.errors import StoreMalformed

Cell: TypeAlias = "int | str | bytes | float | None"


class Cells:
    """The cells of one row, taken from left to right."""

    __slots__ = ("cells", "codec", "place")

    def __init__(self, cells: Sequence[Cell], codec: Codec | None) -> None:
        self.cells = cells
        self.codec = codec
        self.place = 0

    def text(self) -> str:
        """The next cell, a text."""
        value = self._next()
        if not isinstance(value, str):
            raise _malformed("a text")
        return value

    def integer(self) -> int:
        """The next cell, a whole number."""
        value = self._next()
        if not isinstance(value, int):
            raise _malformed("a number")
        return value

    def flag(self) -> bool:
        """The next cell, 0 or 1."""
        value = self.integer()
        if value not in (0, 1):
            raise _malformed("a flag")
        return value == 1

    def maybe_text(self) -> str | None:
        """The next cell, a text or nothing."""
        return None if self._skips_nothing() else self.text()

    def maybe_integer(self) -> int | None:
        """The next cell, a whole number or nothing."""
        return None if self._skips_nothing() else self.integer()

    def document(self) -> Document:
        """The next cell, one JSON object as text. Needs the codec."""
        assert self.codec is not None
        try:
            return self.codec.decode(self.text().encode())
        except DocumentUnreadable as error:
            raise StoreMalformed(f"a stored document does not read: {error}") from error

    def _next(self) -> Cell:
        value = self.cells[self.place]
        self.place += 1
        return value

    def _skips_nothing(self) -> bool:
        is_nothing = self.cells[self.place] is None
        self.place += is_nothing
        return is_nothing


def _malformed(expected: str) -> StoreMalformed:
    return StoreMalformed(f"a stored row holds something else than {expected}")
