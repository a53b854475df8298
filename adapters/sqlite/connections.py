"""Opening the one database file, privately (D30)."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias

from tidings.adapters.sqlite.formats import create_tables
from tidings.adapters.wire.advice import advice_for
from tidings.adapters.wire.private_files import create_own, flaw_of, look, look_in_found
from tidings.adapters.wire.private_folders import make_private
from tidings.ports.errors import StateUnreadable, StateUnwritable

FileIdentity: TypeAlias = tuple[int, int]
_GONE: Final = (0, 0)
"""No file: it was taken away again at once, and opening it will say so."""

SIDES: Final = ("-journal", "-wal", "-shm")
"""What SQLite keeps beside the file. It would wait for ever for a FIFO in such a place."""


def create_file(path: str) -> FileIdentity:
    """Which file it is. Makes the folder (0700) and an empty file (0600) where none is, whatever the umask.

    An existing file is never opened here: closing any descriptor of it would drop the locks that
    SQLite holds on it in this process. SQLite gives its side files the mode of this one. Raises
    ``StateUnreadable`` for what cannot be looked at or is no file of ours, ``StateUnwritable``.
    """
    found = find_file(path)
    if found is not None:
        return found
    try:
        make_private(os.path.dirname(path))
        with suppress(FileExistsError):
            os.close(create_own(path, os.O_RDWR))
    except OSError as error:
        raise StateUnwritable(
            f"{path} could not be created: {error.strerror}",
            next_step=advice_for(error),
        ) from error
    return find_file(path) or _GONE


def find_file(path: str) -> FileIdentity | None:
    """Device and inode of the database file; None only where the kernel says that there is none.

    Raises ``StateUnreadable`` where it, or a side file, cannot be looked at or is none of ours.
    """
    found = _look(path)
    around = look if found is None else look_in_found
    for side in SIDES:
        _look(path + side, around)
    return None if found is None else (found.st_dev, found.st_ino)


def _look(path: str, at: Callable[[str], os.stat_result | None] = look) -> os.stat_result | None:
    try:
        found = at(path)
    except OSError as error:
        raise _unusable(path, (error.strerror or str(error)).lower()) from error
    flaw = flaw_of(found) if found is not None else ""
    if flaw:
        raise _unusable(path, flaw)
    return found


def _unusable(path: str, why: str) -> StateUnreadable:
    return StateUnreadable(
        f"{path} cannot be used: {why}",
        next_step="look what stands there (`ls -l`), and give it back or move it aside",
    )


def connect(path: str, factory: type[sqlite3.Connection]) -> sqlite3.Connection:
    """A connection to an existing file, in autocommit, without SQLite's own waiting.

    Its waiting let one of eight writers starve for seconds; ours is fair enough (D30).
    """
    connection = sqlite3.connect(
        f"file:{_quoted(path)}?mode=rw",
        uri=True,
        timeout=0,
        isolation_level=None,
        check_same_thread=False,
        factory=factory,
    )
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _quoted(path: str) -> str:
    """The path as SQLite's URIs want it; ``urllib`` would be a heavy way to this."""
    plain = b"/-._~" + bytes(range(48, 58)) + bytes(range(65, 91)) + bytes(range(97, 123))
    return "".join(chr(byte) if byte in plain else f"%{byte:02x}" for byte in os.fsencode(path))


def empty_view(factory: type[sqlite3.Connection]) -> sqlite3.Connection:
    """What a store that does not exist yet looks like."""
    connection = sqlite3.connect(":memory:", isolation_level=None, factory=factory)
    create_tables(connection)
    return connection


def keep_log(connection: sqlite3.Connection) -> None:
    """Write-ahead logging, which is a lasting property of the file."""
    if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        connection.execute("PRAGMA journal_mode = WAL")
