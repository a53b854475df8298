"""The message store in one SQLite file (D30)."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, TypeAlias, TypeVar

from tidings.adapters.sqlite.agent_rows import AgentRows
from tidings.adapters.sqlite.care import copy_to, problems_in
from tidings.adapters.sqlite.connections import (
    FileIdentity,
    connect,
    create_file,
    empty_view,
    find_file,
    keep_log,
)
from tidings.adapters.sqlite.formats import (
    NOTHING_STORED,
    check_contents,
    create_tables,
    known_form,
    settle_form,
)
from tidings.adapters.sqlite.history_rows import HistoryRows
from tidings.adapters.sqlite.schema import ORIGIN_FORMAT
from tidings.adapters.sqlite.statements import Statements
from tidings.adapters.sqlite.trouble import is_busy, translated
from tidings.ports.codec import Codec
from tidings.ports.errors import StateUnreadable, StateUnwritable, StoreLocked
from tidings.ports.messages import StoreTransaction

T = TypeVar("T")
_Idle: TypeAlias = tuple[sqlite3.Connection, FileIdentity]
"""A connection with the file that it was opened on."""

CARE_WAIT_SECONDS: Final = 2.0
SHORTEST_RETRY_SECONDS: Final = 0.0005
LONGEST_RETRY_SECONDS: Final = 0.003


class SqliteTransaction(AgentRows, HistoryRows):
    """Both halves of a transaction, over the same statements."""

    def __init__(self, statements: Statements) -> None:
        AgentRows.__init__(self, statements)
        HistoryRows.__init__(self, statements)


class SqliteMessageStore:
    """The store at ``path`` (absolute). Safe among threads and processes; ``close`` when done.

    ``connection_class`` is for tests that let statements fail.
    """

    def __init__(
        self,
        path: str,
        *,
        codec: Codec,
        connection_class: type[sqlite3.Connection] = sqlite3.Connection,
    ) -> None:
        self._path = path
        self._codec = codec
        self._factory = connection_class
        self._idle: list[_Idle] = []
        self._guard = threading.Lock()
        self._pid = os.getpid()
        self._is_logging = self._is_checked = False

    def transact(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float) -> T:
        """Runs ``work`` with the write lock held, commits durably, or leaves no trace."""
        ends_at = time.monotonic() + wait_seconds
        file = create_file(self._path)
        with translated(self._path, writing=True), self._connection(ends_at, file) as connection:
            self._log_once(connection, ends_at)
            self._until(ends_at, lambda: connection.execute("BEGIN IMMEDIATE"))
            with _finished(connection):
                form = self._form_of(connection)
                if form == NOTHING_STORED:
                    create_tables(connection)
                statements = Statements(connection, self._codec, writable=True)
                result = work(SqliteTransaction(statements))
                if statements.origins_changed or form == ORIGIN_FORMAT:
                    settle_form(connection)
                connection.execute("COMMIT")
            return result

    def view(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float = 0.1) -> T:
        """Runs ``work`` on one snapshot; where no store is, on an empty one, creating nothing."""
        return self._look(lambda statements: work(SqliteTransaction(statements)), wait_seconds)

    def _look(self, work: Callable[[Statements], T], wait_seconds: float) -> T:
        ends_at = time.monotonic() + wait_seconds
        with translated(self._path, writing=False):
            file = find_file(self._path)
            if file is None:
                return self._view_empty(work)
            with self._connection(ends_at, file) as connection:
                connection.execute("BEGIN")
                with _finished(connection):
                    # The first read takes the snapshot, and only that can meet a lock.
                    if self._until(ends_at, lambda: self._form_of(connection)) == NOTHING_STORED:
                        return self._view_empty(work)
                    return work(Statements(connection, self._codec, writable=False))

    def integrity(self) -> Sequence[str]:
        """Every row is judged on one snapshot. A store that is refused whole is one problem."""
        try:
            return self._look(problems_in, CARE_WAIT_SECONDS)
        except StoreLocked:
            raise
        except StateUnreadable as refusal:
            return (refusal.text,)

    def backup(self, path: str) -> None:
        """SQLite's own copying, from one snapshot."""
        ends_at = time.monotonic() + CARE_WAIT_SECONDS
        with translated(self._path, writing=False):
            file = find_file(self._path)
            if file is None:
                raise StateUnwritable("nothing is stored yet, so there is nothing to copy")
            with self._connection(ends_at, file) as connection:
                self._judge(connection, ends_at)
                copy_to(path, connection)

    def close(self) -> None:
        """Closes all connections. The store may be used again afterwards."""
        with self._guard:
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()

    def _view_empty(self, work: Callable[[Statements], T]) -> T:
        connection = empty_view(self._factory)
        try:
            return work(Statements(connection, self._codec, writable=False))
        finally:
            connection.close()

    @contextmanager
    def _connection(
        self, ends_at: float, file: FileIdentity
    ) -> Generator[sqlite3.Connection, None, None]:
        """A connection to ``file``, idle or new; one that met trouble is not used again."""
        connection = self._idle_connection(file) or self._opened(ends_at)
        is_sound = True
        try:
            yield connection
        except sqlite3.Error:
            is_sound = False
            raise
        finally:
            if is_sound and not connection.in_transaction:
                with self._guard:
                    self._idle.append((connection, file))
            else:
                connection.close()

    def _form_of(self, connection: sqlite3.Connection) -> int:
        """The form, judged in every transaction; what it promises, once after the last opening."""
        form = known_form(connection, self._path)
        if form != NOTHING_STORED and not self._is_checked:
            check_contents(connection, form, self._path)
            self._is_checked = True
        return form

    def _judge(self, connection: sqlite3.Connection, ends_at: float) -> None:
        """Judges the file on one snapshot: between two, a writer may raise the form it was read in."""
        connection.execute("BEGIN")
        with _finished(connection):
            self._until(ends_at, lambda: self._form_of(connection))
            connection.execute("COMMIT")

    def _log_once(self, connection: sqlite3.Connection, ends_at: float) -> None:
        """Asks for the log once after the last opening, and never of a stranger's file."""
        if not self._is_logging:
            self._judge(connection, ends_at)
            self._until(ends_at, lambda: keep_log(connection))
            self._is_logging = True

    def _opened(self, ends_at: float) -> sqlite3.Connection:
        self._is_logging = self._is_checked = False
        return self._until(ends_at, lambda: connect(self._path, self._factory))

    def _idle_connection(self, file: FileIdentity) -> sqlite3.Connection | None:
        """One that is still connected to ``file``, which is at the path now.

        Connections of a parent process are left alone: SQLite forbids carrying them over a fork.
        A file that was replaced would take our writes to its grave.
        """
        with self._guard:
            if self._pid != os.getpid():
                self._pid, self._idle = os.getpid(), []
            found = self._idle.pop() if self._idle else None
        if found is None or found[1] == file:
            return None if found is None else found[0]
        found[0].close()
        return None

    def _until(self, ends_at: float, attempt: Callable[[], T]) -> T:
        """Tries while the database is busy, in short random steps, to the deadline."""
        while True:
            try:
                return attempt()
            except sqlite3.OperationalError as error:
                if not is_busy(error):
                    raise
                left_seconds = ends_at - time.monotonic()
                if left_seconds <= 0:
                    raise StoreLocked(
                        f"{self._path} stayed locked", next_step="try again in a moment"
                    ) from error
            time.sleep(min(_random_pause_seconds(), left_seconds))


def _random_pause_seconds() -> float:
    """Between the two bounds. ``random`` would load OpenSSL, and with it 10 ms, into every verb."""
    fraction = int.from_bytes(os.urandom(2), "big") / 0xFFFF
    return SHORTEST_RETRY_SECONDS + fraction * (LONGEST_RETRY_SECONDS - SHORTEST_RETRY_SECONDS)


@contextmanager
def _finished(connection: sqlite3.Connection) -> Generator[None, None, None]:
    """Whatever was not committed is rolled back, so that no lock stays behind."""
    try:
        yield
    finally:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
