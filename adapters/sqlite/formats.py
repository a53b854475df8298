"""Which form a database file has, and whether it is one that we may read at all (D26, M 7.2, 7.3).

A file that is not in order is refused whole: nothing repairs, truncates or replaces it.
"""

import sqlite3
from collections.abc import Collection
from typing import Final

from tidings.adapters.sqlite.schema import FORMATS, MINOR, ORIGIN_FORMAT, PLAIN_FORMAT, TABLES
from tidings.ports.errors import StateUnreadable, StoreMalformed

NOTHING_STORED: Final = 0
_MOVE_AWAY: Final = "move it away to begin anew; nothing repairs it"
_HAS_ORIGIN: Final = "SELECT EXISTS (SELECT 1 FROM messages WHERE kind <> 'agent')"
_OURS: Final = frozenset(text for text in TABLES if text.startswith("CREATE"))


def create_tables(connection: sqlite3.Connection) -> None:
    """The schema, inside the caller's transaction."""
    for statement in TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {PLAIN_FORMAT}")


def known_form(connection: sqlite3.Connection, path: str) -> int:
    """The form of the file: 2, 3, or 0 where nothing was ever stored.

    Raises ``StateUnreadable`` for a form that is newer than we know, ``StoreMalformed`` for another
    program's database.
    """
    form = stored_form(connection)
    if form not in FORMATS:
        _require_nothing(connection, form, path)
    return form


def check_contents(connection: sqlite3.Connection, form: int, path: str) -> None:
    """Raises ``StoreMalformed`` for another schema, and for a file of form 2 that holds a message
    with an origin (M65)."""
    _check_schema(connection, path)
    if form == PLAIN_FORMAT and _has_origin(connection):
        raise StoreMalformed(
            f"{path} has format {form}, but holds a message with an origin", next_step=_MOVE_AWAY
        )


def _check_schema(connection: sqlite3.Connection, path: str) -> None:
    """Tables, indexes and triggers must be exactly ours. A newer minor may have added some, and
    columns at the end of a table (D14)."""
    found: tuple[int] | None = connection.execute(
        "SELECT value FROM meta WHERE name = 'minor'"
    ).fetchone()
    sql = "SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'"
    stored = frozenset(text for (text,) in connection.execute(sql))
    if found == (MINOR,):
        sound = stored == _OURS
    else:
        sound = found is not None and found[0] > MINOR and _only_added(stored)
    if not sound:
        raise StoreMalformed(f"{path} has another schema than ours", next_step=_MOVE_AWAY)


def stored_form(connection: sqlite3.Connection) -> int:
    """The number in the file's header."""
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    return int(form)


def settle_form(connection: sqlite3.Connection) -> None:
    """Form 3 while any message carries an origin, else 2, in the writer's transaction (D26)."""
    wanted = ORIGIN_FORMAT if _has_origin(connection) else PLAIN_FORMAT
    if stored_form(connection) != wanted:
        connection.execute(f"PRAGMA user_version = {wanted}")


def _has_origin(connection: sqlite3.Connection) -> bool:
    (found,) = connection.execute(_HAS_ORIGIN).fetchone()
    return bool(found)


def _require_nothing(connection: sqlite3.Connection, form: int, path: str) -> None:
    if form > max(FORMATS):
        raise StateUnreadable(
            f"{path} has format {form}, and this version knows {max(FORMATS)}",
            next_step="upgrade Tidings",
        )
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if form != NOTHING_STORED or tables != (0,):
        raise StoreMalformed(
            f"{path} is a database of something else (format {form})", next_step=_MOVE_AWAY
        )


def _only_added(stored: Collection[str]) -> bool:
    """``ALTER TABLE`` keeps the text of a table and puts the new column right before its end."""
    return all(text in stored or _has_grown(text, stored) for text in _OURS)


def _has_grown(text: str, stored: Collection[str]) -> bool:
    begun = text.removesuffix(")").rstrip()
    return any(one.startswith(begun) and one[len(begun) :].lstrip()[:1] == "," for one in stored)
