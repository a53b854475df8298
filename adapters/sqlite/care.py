"""Looking after the file: every row judged, and a copy of one moment. Nothing here repairs."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from itertools import islice

from tidings.adapters.sqlite.agent_rows import AgentRows
from tidings.adapters.sqlite.history_rows import HistoryRows
from tidings.adapters.sqlite.statements import Statements
from tidings.adapters.wire.private_files import create_own
from tidings.domain.messages.reasons import EVENT_NAMES, entry_of
from tidings.ports.errors import StateUnwritable, StoreMalformed

MOST_PROBLEMS = 20


def problems_in(statements: Statements) -> tuple[str, ...]:
    """What is wrong, in SQLite's eyes and in ours."""
    return tuple(islice(_problems(statements), MOST_PROBLEMS))


def copy_to(path: str, source: sqlite3.Connection) -> None:
    """The database as it is now, in a new file. Raises ``StateUnwritable``; then none is left."""
    try:
        os.close(create_own(path, os.O_RDWR))
    except OSError as error:
        raise _no_backup(path, error.strerror or str(error)) from error
    try:
        _copy(path, source)
    except sqlite3.Error as error:
        os.unlink(path)
        raise _no_backup(path, str(error)) from error


def _copy(path: str, source: sqlite3.Connection) -> None:
    target = sqlite3.connect(path, isolation_level=None)
    try:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, without side files
    finally:
        target.close()


def _no_backup(path: str, why: str) -> StateUnwritable:
    return StateUnwritable(
        f"no backup was written to {path}: {why}", next_step="name a new file in a folder of yours"
    )


def _problems(statements: Statements) -> Iterator[str]:
    for cells in statements.rows("PRAGMA integrity_check"):
        word = cells.text()
        if word != "ok":
            yield f"SQLite: {word}"
    messages, agents = HistoryRows(statements), AgentRows(statements)
    yield from _unreadable(statements, "messages", "ref", messages.message)
    yield from _unreadable(statements, "history", "ref", messages.history)
    yield from _unreadable(statements, "activations", "activation_id", agents.activation)
    yield from _unreadable(statements, "registrations", "activation_id", agents.registration)
    yield from _unreadable(statements, "interactions", "session_key", agents.interaction)
    yield from _unreadable(statements, "trials", "client", agents.trial)
    for cells in statements.rows(_IN_BOTH):
        yield f"messages: {cells.text()} is in history as well"
    for cells in statements.rows(_ORPHANS):
        yield f"events: {cells.text()} is no stored message"
    yield from _unknown(statements)


_IN_BOTH = "SELECT ref FROM messages WHERE ref IN (SELECT ref FROM history)"
_ORPHANS = "SELECT DISTINCT ref FROM events WHERE ref NOT IN (SELECT ref FROM messages)"


def _unknown(statements: Statements) -> Iterator[str]:
    """Words that this version never wrote. They read, since a newer version may have written them."""
    for table in ("messages", "history", "events"):
        sql = f"SELECT ref, reason FROM {table} WHERE reason <> ''"
        for cells in statements.rows(sql):
            ref, reason = cells.text(), cells.text()
            if entry_of(reason) is None:
                yield f"{table}: {ref} has a reason that this version does not know"
    for cells in statements.rows("SELECT ref, name FROM events"):
        ref, name = cells.text(), cells.text()
        if name not in EVENT_NAMES:
            yield f"events: {ref} has an event that this version does not know"


def _unreadable(
    statements: Statements, table: str, name: str, read: Callable[[str], object]
) -> Iterator[str]:
    for cells in statements.rows(f"SELECT {name} FROM {table}"):
        try:
            key = cells.text()
            read(key)
        except StoreMalformed as error:
            yield f"{table}: {error.text}"
