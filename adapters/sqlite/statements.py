"""Running statements inside one transaction."""

import sqlite3
from collections.abc import Iterator, Sequence

from tidings.adapters.sqlite.cells import Cell, Cells
from tidings.ports.codec import Codec


class Statements:
    """One connection inside one transaction. A view refuses to write."""

    def __init__(self, connection: sqlite3.Connection, codec: Codec, *, writable: bool) -> None:
        self._connection = connection
        self._writable = writable
        self.codec = codec
        self.origins_changed = False
        """Whether a message with an origin came or went, so that the format may have to follow."""

    def rows(self, sql: str, *values: Cell) -> Iterator[Cells]:
        """The rows that ``sql`` selects, read at once."""
        for cells in self._connection.execute(sql, values).fetchall():
            yield Cells(cells=cells, codec=self.codec)

    def change(self, sql: str, *values: Cell) -> sqlite3.Cursor:
        """Runs a statement that writes."""
        if not self._writable:
            raise RuntimeError("a view was asked to write")
        return self._connection.execute(sql, values)

    def upsert(self, table: str, names: Sequence[str], values: Sequence[Cell]) -> None:
        """Adds the row, or replaces it where the first column is there already, in its place."""
        marks = ", ".join("?" for _ in names)
        changes = ", ".join(f"{name} = excluded.{name}" for name in names[1:])
        self.change(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks}) "
            f"ON CONFLICT ({names[0]}) DO UPDATE SET {changes}",
            *values,
        )
