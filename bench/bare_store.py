"""Bare SQLite with the product's durability: the base that acceptance is measured against."""

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

BODY = "x" * 800
"""About the length of an envelope."""

BUSY_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BareStore:
    """One connection to one table: ``synchronous=FULL`` on a write-ahead log (D30)."""

    connection: sqlite3.Connection

    @classmethod
    @contextmanager
    def create(cls, path: Path) -> Generator["BareStore", None, None]:
        """A new database."""
        with cls.open(path) as store:
            store.connection.execute("PRAGMA journal_mode = WAL")
            store.connection.execute(
                "CREATE TABLE bare (seq INTEGER PRIMARY KEY AUTOINCREMENT,"
                " ref TEXT NOT NULL UNIQUE, body TEXT NOT NULL)"
            )
            yield store

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Generator["BareStore", None, None]:
        """An existing one, with SQLite's own waiting for its locks."""
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous = FULL")
            yield cls(connection=connection)
        finally:
            connection.close()

    def insert(self) -> str:
        """One row, committed durably when this returns; its ref."""
        ref = os.urandom(14).hex()
        self.connection.execute("INSERT INTO bare (ref, body) VALUES (?, ?)", (ref, BODY))
        return ref

    def refs(self) -> set[str]:
        """Every ref that is stored."""
        return {str(ref) for (ref,) in self.connection.execute("SELECT ref FROM bare")}
