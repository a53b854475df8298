"""What SQLite adds to the contract: files, formats, strictness, and failure at any statement."""

import os
import re
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.plants import Plant, plant, seen
from support.powerless import powerless
from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.messages.origin import MessageKind
from tidings.entrypoints.testing.message_rows import (
    activation,
    delivered,
    envelope,
    marked,
    message,
    registration,
)
from tidings.ports.errors import (
    StateUnreadable,
    StateUnwritable,
    StoreLocked,
    StoreMalformed,
)
from tidings.ports.messages import EventRow, StoreTransaction

UNPROVED = (
    "target_agent = ? AND state = 'delivered' AND answered_at_ns IS NULL "
    "AND seen_at_ns IS NULL AND unseen_at_ns IS NULL"
)
REF, NEXT = "m" + "0" * 28, "m" + "1" * 28


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "state" / "tidings.db")


@pytest.fixture
def store(path: str) -> Iterator[SqliteMessageStore]:
    made = SqliteMessageStore(path, codec=JsonCodec())
    yield made
    made.close()


def put(store: SqliteMessageStore, *refs: str) -> None:
    for ref in refs:
        row = message(ref)
        store.transact(lambda tx, row=row: tx.insert_message(row), wait_seconds=2)  # type: ignore[misc]


def read(store: SqliteMessageStore, ref: str = REF) -> object:
    return store.view(lambda tx: tx.message(ref))


def run_sql(path: str, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def format_of(path: str) -> int:
    connection = sqlite3.connect(path)
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return int(form)


@pytest.mark.case("M46")
def test_files_are_private_and_hold_no_secrets(store: SqliteMessageStore, path: str) -> None:
    put(store, REF)
    first = store.view(lambda tx: tx.message(REF))
    assert first is not None
    assert first.state == "accepted"
    folder = os.path.dirname(path)
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    names = sorted(os.listdir(folder))
    assert names == ["tidings.db", "tidings.db-shm", "tidings.db-wal"]
    for name in names:
        assert stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) == 0o600
    data = b"".join(Path(folder, name).read_bytes() for name in names)
    assert REF.encode() in data
    for word in (b"token", b"socket", b"sessionId", b"threadId", b"credential"):
        assert word not in data


@pytest.mark.case("M49")
def test_another_process_image_reads_what_was_written(store: SqliteMessageStore, path: str) -> None:
    put(store, REF)
    other = SqliteMessageStore(path, codec=JsonCodec())
    assert read(other) == replace(message(REF), seq=1)
    other.close()


@pytest.mark.case("M74")
def test_what_waits_at_a_target_is_listed_in_the_order_of_acceptance(
    store: SqliteMessageStore,
) -> None:
    def work(tx: StoreTransaction) -> None:
        for number, state in enumerate(("held", "accepted", "held")):
            ref = "m" + str(number) * 28
            reason = "pacing" if state == "held" else ""
            tx.insert_message(message(ref, state=state, reason=reason))
        elsewhere = envelope("m" + "5" * 28, target=activation("other", 30))
        tx.insert_message(message(elsewhere.message_ref, of=elsewhere))
        tx.insert_message(delivered("m" + "6" * 28))
        tx.insert_message(marked("m" + "7" * 28))

    store.transact(work, wait_seconds=1)
    waiting = store.view(lambda tx: tx.queue("agent-api"))
    assert [row.ref for row in waiting] == ["m" + str(number) * 28 for number in range(3)]
    assert [row.seq for row in waiting] == [1, 2, 3]


@pytest.mark.case("M74")
def test_looking_creates_nothing(store: SqliteMessageStore, path: str) -> None:
    assert read(store) is None
    assert list(store.view(lambda tx: tx.queue("agent-api"))) == []
    assert not os.path.exists(os.path.dirname(path))


def test_the_format_tells_whether_any_message_has_an_origin(
    store: SqliteMessageStore, path: str
) -> None:
    put(store, REF)
    assert format_of(path) == 2
    pushed = message(NEXT, of=envelope(NEXT, kind=MessageKind.PUSH))
    with pytest.raises(KeyError):
        store.transact(lambda tx: _then_fail(tx, pushed), wait_seconds=2)
    assert format_of(path) == 2
    store.transact(lambda tx: tx.insert_message(pushed), wait_seconds=2)
    assert format_of(path) == 3
    run_sql(path, f"DELETE FROM messages WHERE ref = '{NEXT}'")
    put(store, "m" + "2" * 28)
    assert format_of(path) == 2


def _then_fail(tx: StoreTransaction, row: object) -> None:
    tx.insert_message(message(NEXT, of=envelope(NEXT, kind=MessageKind.PUSH)))
    raise KeyError(row)


@pytest.mark.case("M50")
def test_a_newer_format_is_refused_and_left_alone(store: SqliteMessageStore, path: str) -> None:
    put(store, REF)
    store.close()
    run_sql(path, "PRAGMA user_version = 4")
    before = Path(path).read_bytes()
    with pytest.raises(StateUnreadable, match="format 4") as caught:
        read(store)
    assert "upgrade" in caught.value.next_step.lower()
    with pytest.raises(StateUnreadable, match="format 4"):
        put(store, NEXT)
    store.close()
    assert Path(path).read_bytes() == before
    assert format_of(path) == 4


@pytest.mark.case("M94")
@pytest.mark.parametrize("kind", ["text", "foreign", "old", "folder"])
def test_what_is_no_store_is_malformed_and_never_repaired(
    store: SqliteMessageStore, path: str, kind: str
) -> None:
    os.makedirs(os.path.dirname(path))
    match kind:
        case "text":
            Path(path).write_text("no database, but long enough to be looked at twice " * 20)
        case "foreign":
            run_sql(path, "CREATE TABLE recipes (name TEXT)")
        case "old":
            run_sql(path, "CREATE TABLE meta (name TEXT)", "PRAGMA user_version = 1")
        case _:
            os.mkdir(path)
    before = Path(path).read_bytes() if kind != "folder" else b""
    wanted = StateUnreadable if kind == "folder" else StoreMalformed
    with pytest.raises(wanted, match=re.escape(path)):
        read(store)
    with pytest.raises(wanted, match=re.escape(path)):
        put(store, REF)
    assert kind == "folder" or Path(path).read_bytes() == before


@pytest.mark.case("M50", "M51")
@pytest.mark.parametrize(
    "spoil",
    [
        "state = 'unheard-of'",
        "state = 'failed'",
        "state = 5",
        "outcome_unknown = 1",
        "outcome_unknown = 'no'",
        "terminal_at_ns = 'noon'",
        "terminal_at_ns = accepted_at_ns",
        "handoff_at_ns = 1",
        "target_agent = 'agent-api', kind = 'push'",
        "envelope = '{}'",
        "envelope = '{\"version\":2} trailing'",
        "envelope = x'00'",
        'envelope = replace(envelope, \'"payload"\', \'"extra":1,"payload"\')',
        "envelope = replace(envelope, 'the API changed', 'another text')",
        "ttl_ns = ttl_ns + 1",
        "seen_at_ns = 1.5",
    ],
)
def test_a_spoilt_row_is_malformed(store: SqliteMessageStore, path: str, spoil: str) -> None:
    put(store, REF)
    run_sql(path, f"UPDATE messages SET {spoil}")
    with pytest.raises(StoreMalformed):
        read(store)
    with pytest.raises(StoreMalformed):
        store.transact(lambda tx: tx.recent(after_seq=0, limit=9), wait_seconds=1)


def test_half_a_resident_is_malformed(store: SqliteMessageStore, path: str) -> None:
    lease = registration(activation("api", 10))
    store.transact(lambda tx: tx.put_registration(lease), wait_seconds=1)
    run_sql(path, "UPDATE registrations SET resident_uid = NULL")
    with pytest.raises(StoreMalformed):
        store.view(lambda tx: tx.registration(lease.activation_id))


@pytest.mark.case("M67", "M69")
@pytest.mark.parametrize("wait_seconds", [0.0, 0.05])
def test_a_locked_store_is_said_to_be_locked_and_nothing_is_written_later(
    store: SqliteMessageStore, path: str, wait_seconds: float
) -> None:
    put(store, REF)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    with pytest.raises(StoreLocked):
        store.transact(lambda tx: tx.insert_message(message(NEXT)), wait_seconds=wait_seconds)
    assert wait_seconds <= time.monotonic() - began < wait_seconds + 1
    assert read(store) is not None
    other.execute("ROLLBACK")
    other.close()
    assert read(store, NEXT) is None


def test_a_store_that_was_replaced_is_opened_anew(store: SqliteMessageStore, path: str) -> None:
    put(store, REF)
    for suffix in ("", "-wal", "-shm"):
        os.rename(path + suffix, path + suffix + ".old")
    assert read(store) is None
    put(store, NEXT)
    fresh = SqliteMessageStore(path, codec=JsonCodec())
    assert read(fresh, NEXT) is not None
    fresh.close()


class Trouble:
    """Lets the statement with the given number fail, counting from when it is set."""

    countdown = -1
    code = sqlite3.SQLITE_IOERR


class FailingConnection(sqlite3.Connection):
    """Fails where ``Trouble`` says."""

    def execute(self, *arguments: object) -> sqlite3.Cursor:
        Trouble.countdown -= 1
        if Trouble.countdown == 0:
            error = sqlite3.OperationalError("injected")
            error.sqlite_errorcode = Trouble.code
            raise error
        return super().execute(*arguments)  # type: ignore[arg-type]


def whole_write(tx: StoreTransaction) -> None:
    """One write path with every kind of statement."""
    tx.put_activation(activation("api", 10))
    tx.put_registration(registration(activation("api", 10)))
    row = tx.insert_message(message(NEXT))
    tx.update_message(replace(row, state="held", reason="pacing"))
    tx.add_event(EventRow(ref=NEXT, at_ns=1, name="held", reason="pacing"))
    before = tx.message(REF)
    assert before is not None
    tx.update_message(replace(delivered(REF), seq=before.seq))


@pytest.fixture
def failing(path: str) -> Iterator[SqliteMessageStore]:
    Trouble.countdown = -1
    made = SqliteMessageStore(path, codec=JsonCodec(), connection_class=FailingConnection)
    yield made
    Trouble.countdown = -1
    made.close()


@pytest.mark.case("M54")
@pytest.mark.parametrize("code", [sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL])
def test_a_failure_at_any_statement_leaves_the_old_state(
    failing: SqliteMessageStore, path: str, code: int
) -> None:
    put(failing, REF)
    Trouble.code = code
    survived = 0
    while True:
        survived += 1
        Trouble.countdown = survived
        try:
            failing.transact(whole_write, wait_seconds=1)
        except StateUnwritable:
            Trouble.countdown = -1
            witness = SqliteMessageStore(path, codec=JsonCodec())
            assert read(witness) == replace(message(REF), seq=1)
            assert read(witness, NEXT) is None
            assert list(witness.view(lambda tx: tx.open_activations())) == []
            assert list(witness.view(lambda tx: tx.events(NEXT))) == []
            witness.close()
        else:
            break
    Trouble.countdown = -1
    assert survived > 10
    assert read(failing, NEXT) is not None


def test_a_failure_at_any_statement_of_the_first_write_leaves_no_half_schema(
    failing: SqliteMessageStore,
) -> None:
    failures = 0
    for statement in range(1, 100):
        Trouble.countdown = statement
        try:
            put(failing, REF)
        except StateUnwritable:
            failures += 1
            Trouble.countdown = -1
            assert read(failing) is None
        else:
            break
    Trouble.countdown = -1
    assert failures > 20
    assert read(failing) == replace(message(REF), seq=1)


def test_a_folder_that_cannot_be_made_is_unwritable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = SqliteMessageStore(str(tmp_path / "file" / "tidings.db"), codec=JsonCodec())
    with pytest.raises(StateUnreadable, match="not a directory"):
        put(store, REF)


@pytest.mark.parametrize("where", ["a file", "a loop", "too long"])
def test_a_place_that_cannot_be_looked_at_is_no_empty_store(where: str, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    match where:
        case "a file":
            folder.write_text("in the way")
        case "a loop":
            folder.symlink_to(folder)
        case _:
            folder = tmp_path / ("x" * 300)
    store = SqliteMessageStore(str(folder / "tidings.db"), codec=JsonCodec())
    with pytest.raises(StateUnreadable, match="tidings.db"):
        read(store)


def test_a_folder_that_may_not_be_searched_is_no_empty_store(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o000)
    store = SqliteMessageStore(str(folder / "tidings.db"), codec=JsonCodec())
    try:
        with powerless(), pytest.raises(StateUnreadable, match="ermission denied"):
            read(store)
    finally:
        folder.chmod(0o700)


@pytest.mark.timeout(10)
@pytest.mark.parametrize("kind", Plant)
@pytest.mark.parametrize("side", ["", "-wal", "-shm", "-journal"])
def test_what_stands_in_a_files_place_is_not_opened(kind: Plant, side: str, tmp_path: Path) -> None:
    path = tmp_path / "tidings.db"
    with closing(SqliteMessageStore(str(path), codec=JsonCodec())) as store:
        put(store, REF)
        planted = Path(f"{path}{side}")
        plant(kind, planted)
        before = seen(planted)
        for again in (store, SqliteMessageStore(str(path), codec=JsonCodec())):
            with pytest.raises(StateUnreadable, match="cannot be used"):
                read(again)
            with pytest.raises(StateUnreadable, match="cannot be used"):
                put(again, REF)
        assert seen(planted) == before


def test_a_path_may_hold_any_character(tmp_path: Path) -> None:
    folder = os.path.join(tmp_path, "a?b#c%20 d\u00e9" + os.fsdecode(b"\xff"))
    store = SqliteMessageStore(os.path.join(folder, "tidings.db"), codec=JsonCodec())
    put(store, REF)
    assert read(store) is not None
    store.close()
    assert "tidings.db" in os.listdir(folder)


def test_a_planted_link_is_not_followed(tmp_path: Path, path: str) -> None:
    os.makedirs(os.path.dirname(path))
    os.symlink(tmp_path / "elsewhere", path)
    store = SqliteMessageStore(path, codec=JsonCodec())
    with pytest.raises(StateUnreadable):
        put(store, REF)
    assert not (tmp_path / "elsewhere").exists()


def test_the_queue_is_read_through_its_index(store: SqliteMessageStore, path: str) -> None:
    put(store, REF)
    connection = sqlite3.connect(path)
    for where, index in [
        (
            "target_agent = ? AND terminal_at_ns IS NULL AND handoff_at_ns IS NULL",
            "messages_waiting",
        ),
        (UNPROVED, "messages_un"),
        ("reply_to = ?", "messages_by_original"),
    ]:
        sql = f"EXPLAIN QUERY PLAN SELECT * FROM messages WHERE {where} ORDER BY seq"
        plan = " ".join(str(row) for row in connection.execute(sql, ("x",)))
        assert index in plan
        assert "TEMP B-TREE" not in plan
    connection.close()


class JudgedOnOneSnapshot(sqlite3.Connection):
    """Refuses to read the form outside of a transaction: what is read next may be of another one."""

    looks = 0

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if sql == "PRAGMA user_version":
            assert self.in_transaction, "the form and what it promises are of two snapshots"
            JudgedOnOneSnapshot.looks += 1
        return super().execute(sql, *parameters)


def test_a_file_is_judged_on_one_snapshot(tmp_path: Path) -> None:
    """Else a first writer that meets another's first message with an origin calls the store spoilt."""
    JudgedOnOneSnapshot.looks = 0
    path = str(tmp_path / "tidings.db")
    store = SqliteMessageStore(path, codec=JsonCodec(), connection_class=JudgedOnOneSnapshot)
    store.transact(lambda _tx: None, wait_seconds=1)
    store.view(lambda _tx: None)
    store.backup(str(tmp_path / "copy.db"))
    store.close()
    assert JudgedOnOneSnapshot.looks >= 4
