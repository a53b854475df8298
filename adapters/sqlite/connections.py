"""Opening the one database file, privately and in the right form (D26, D30)."""

import os
import sqlite3
from typing import Final

from tidings.adapters.sqlite.schema import FORMATS, ORIGIN_FORMAT, PLAIN_FORMAT, TABLES
from tidings.ports.errors import StateUnreadable, StateUnwritable, StoreMalformed

PRIVATE_FILE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700


def create_file(path: str) -> None:
    """Makes the folder (0700) and an empty file (0600) where none is.

    An existing file is never opened here: closing any descriptor of it would drop the locks that
    SQLite holds on it in this process. SQLite gives its side files the mode of this one.
    """
    if os.path.lexists(path):
        return
    try:
        os.makedirs(os.path.dirname(path), mode=PRIVATE_FOLDER, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE))
    except FileExistsError:
        return
    except OSError as error:
        raise StateUnwritable(
            f"{path} could not be created: {error.strerror}",
            next_step="check free space and the permissions of the state folder",
        ) from error


def identity_of(path: str) -> tuple[int, int]:
    """Device and inode of the file at ``path``; zeros where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


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


def prepare(connection: sqlite3.Connection, path: str) -> None:
    """Write-ahead logging, which is a lasting property of the file; a stranger's is left alone."""
    is_empty(connection, path)
    if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        connection.execute("PRAGMA journal_mode = WAL")


def create_tables(connection: sqlite3.Connection) -> None:
    """The schema, inside the caller's transaction."""
    for statement in TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {PLAIN_FORMAT}")


def is_empty(connection: sqlite3.Connection, path: str) -> bool:
    """Whether nothing was ever stored here; another program's database is malformed.

    Raises ``StateUnreadable`` for a format that is newer than we know.
    """
    form = stored_format(connection)
    if form in FORMATS:
        return False
    if form > max(FORMATS):
        raise StateUnreadable(
            f"{path} has format {form}, and this version knows {max(FORMATS)}",
            next_step="upgrade Tidings",
        )
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if form != 0 or tables != (0,):
        raise StoreMalformed(f"{path} is a database of something else (format {form})")
    return True


def stored_format(connection: sqlite3.Connection) -> int:
    """The number in the file's header."""
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    return int(form)


def settle_format(connection: sqlite3.Connection) -> None:
    """Format 3 while any message carries an origin, else 2, in the writer's transaction (D26)."""
    sql = "SELECT EXISTS (SELECT 1 FROM messages WHERE kind <> 'agent')"
    (has_origin,) = connection.execute(sql).fetchone()
    wanted = ORIGIN_FORMAT if has_origin else PLAIN_FORMAT
    if stored_format(connection) != wanted:
        connection.execute(f"PRAGMA user_version = {wanted}")
