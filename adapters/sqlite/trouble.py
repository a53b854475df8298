"""SQLite's errors in the words of the ports (D30, D35)."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from tidings.ports.errors import StateUnreadable, StateUnwritable, StoreMalformed

_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED: Final = frozenset(
    {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH}
)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether somebody else holds a lock; the only trouble that waiting cures."""
    return _primary(error) in _BUSY


@contextmanager
def translated(path: str, *, writing: bool) -> Generator[None, None, None]:
    """Turns what SQLite raises inside the block into an error of the ports."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translation(error, path, writing=writing) from error


def _translation(error: sqlite3.Error, path: str, *, writing: bool) -> StateUnreadable:
    if _primary(error) in _DAMAGED:
        return StoreMalformed(
            f"{path} does not read as a store of Tidings: {error}",
            next_step="move it away to begin anew; nothing repairs it",
        )
    if writing:
        return StateUnwritable(
            f"{path} could not be written: {error}",
            next_step="check free space and the permissions of the state folder",
        )
    return StateUnreadable(
        f"{path} could not be read: {error}",
        next_step="check the permissions of the state folder",
    )


def _primary(error: sqlite3.Error) -> int:
    """The primary code; an error without one comes from the Python module itself."""
    code: object = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else sqlite3.SQLITE_ERROR
