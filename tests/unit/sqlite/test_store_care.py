"""Strict reading, integrity, copies and the export of history (M 7.2, 7.3, 7.7, 7.8; D26, D31)."""

import json
import os
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from support.post import Bench
from tidings.adapters.files.history_file import read_lines, write_lines
from tidings.adapters.sqlite import formats
from tidings.adapters.sqlite.schema import MINOR, PLAIN_FORMAT
from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.messages.archive import PAGE, history_rows, joined
from tidings.domain.messages.frame import Frame
from tidings.domain.messages.handoff import Mark, put_mark, put_outcome
from tidings.domain.messages.inbox import SELF_CLAIM
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.send_outcome import Receipt
from tidings.entrypoints.testing.history_contract import past
from tidings.entrypoints.testing.message_rows import NOON, delivered, envelope, message
from tidings.ports.errors import StateUnreadable, StateUnwritable, StoreMalformed
from tidings.ports.messages import EventRow, StoreTransaction
from tidings.ports.tokens import Provider, TransportName

REFS = [f"m{digit * 28}" for digit in "0123456789"]
CODEC = JsonCodec()


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "state" / "tidings.db")


@pytest.fixture
def store(path: str) -> Iterator[SqliteMessageStore]:
    made = SqliteMessageStore(path, codec=CODEC)
    made.transact(lambda tx: tx.insert_message(message(REFS[0])), wait_seconds=2)
    yield made
    made.close()


def run_sql(path: str, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def form_of(path: str) -> int:
    connection = sqlite3.connect(path)
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return int(form)


def leave(store: SqliteMessageStore, *refs: str) -> None:
    def work(tx: StoreTransaction) -> None:
        for ref in refs:
            tx.insert_message(delivered(ref))
            tx.reclaim(past(ref))

    store.transact(work, wait_seconds=2)


def push(store: SqliteMessageStore, ref: str, *, kind: MessageKind = MessageKind.PUSH) -> None:
    row = message(ref, of=envelope(ref, kind=kind))
    store.transact(lambda tx: tx.insert_message(row), wait_seconds=2)


@pytest.mark.case("M65", "R324")
def test_an_origin_in_a_store_of_form_2_is_refused_whole(
    store: SqliteMessageStore, path: str
) -> None:
    push(store, REFS[1])
    store.close()
    run_sql(path, "PRAGMA user_version = 2")
    before = Path(path).read_bytes()
    with pytest.raises(StoreMalformed, match="origin"):
        store.view(lambda tx: tx.message(REFS[0]))
    with pytest.raises(StoreMalformed, match="origin"):
        store.transact(lambda tx: tx.insert_message(message(REFS[2])), wait_seconds=2)
    store.close()
    assert form_of(path) == 2
    assert Path(path).read_bytes() == before


@pytest.mark.case("M62", "M64")
@pytest.mark.parametrize(
    "kind", [MessageKind.OPERATOR, MessageKind.PUSH, MessageKind.NOTICE, MessageKind.AUTOMATION]
)
def test_the_form_follows_the_last_origin_that_leaves(
    store: SqliteMessageStore, path: str, kind: MessageKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reads_as_one_that_knows_no_origin() -> bool:
        old = SqliteMessageStore(path, codec=CODEC)
        with monkeypatch.context() as patched:
            patched.setattr(formats, "FORMATS", frozenset({PLAIN_FORMAT}))
            try:
                return old.view(lambda tx: tx.message(REFS[0])) is not None
            except StateUnreadable:
                return False
            finally:
                old.close()

    assert reads_as_one_that_knows_no_origin()
    push(store, REFS[1], kind=kind)
    assert form_of(path) == 3
    assert not reads_as_one_that_knows_no_origin()
    store.transact(lambda tx: tx.reclaim(past(REFS[1])), wait_seconds=2)
    assert form_of(path) == 2
    assert reads_as_one_that_knows_no_origin()
    assert store.view(lambda tx: tx.history(REFS[1])) is not None


@pytest.mark.case("M50")
@pytest.mark.parametrize(
    "spoil",
    [
        "ALTER TABLE messages ADD COLUMN colour TEXT",
        "DROP INDEX messages_waiting",
        "DROP TABLE history",
        "CREATE TABLE other (name TEXT)",
        "CREATE TRIGGER eats AFTER INSERT ON messages BEGIN DELETE FROM messages; END",
        "DELETE FROM meta WHERE name = 'minor'",
    ],
)
def test_another_schema_is_refused_whole_and_left_as_it_is(
    store: SqliteMessageStore, path: str, spoil: str
) -> None:
    store.close()
    run_sql(path, spoil)
    before = Path(path).read_bytes()
    with pytest.raises(StoreMalformed) as caught:
        store.view(lambda tx: tx.message(REFS[0]))
    assert caught.value.next_step
    with pytest.raises(StoreMalformed):
        store.transact(lambda tx: tx.insert_message(message(REFS[2])), wait_seconds=2)
    store.close()
    assert Path(path).read_bytes() == before


@pytest.mark.case("M97")
def test_what_a_newer_minor_added_is_not_in_the_way(store: SqliteMessageStore, path: str) -> None:
    leave(store, REFS[1])
    store.close()
    run_sql(
        path,
        f"UPDATE meta SET value = {MINOR + 1} WHERE name = 'minor'",
        "ALTER TABLE history ADD COLUMN colour TEXT",
        "ALTER TABLE messages ADD COLUMN mood TEXT",
        "CREATE TABLE other (name TEXT)",
        "CREATE INDEX messages_by_mood ON messages (mood)",
    )
    assert store.view(lambda tx: tx.message(REFS[0])) is not None
    assert store.view(lambda tx: tx.history(REFS[1])) is not None
    store.transact(lambda tx: tx.insert_message(message(REFS[2])), wait_seconds=2)
    store.close()
    run_sql(path, "DROP INDEX messages_waiting")
    with pytest.raises(StoreMalformed):
        store.view(lambda tx: tx.message(REFS[0]))


def test_integrity_names_every_row_that_is_wrong_and_repairs_none(
    store: SqliteMessageStore, path: str
) -> None:
    leave(store, REFS[1])
    assert store.integrity() == ()
    store.transact(lambda tx: tx.insert_message(message(REFS[2])), wait_seconds=2)
    run_sql(
        path,
        f"UPDATE messages SET ttl_ns = 7 WHERE ref = '{REFS[2]}'",
        f"UPDATE history SET line = 'torn' WHERE ref = '{REFS[1]}'",
    )
    found = store.integrity()
    assert len(found) == 2
    assert REFS[2] in found[0]
    assert found[1].startswith("history: ")
    assert store.integrity() == found
    store.close()
    run_sql(path, "PRAGMA user_version = 9")
    assert len(store.integrity()) == 1
    assert "format 9" in store.integrity()[0]


def test_integrity_names_words_that_nobody_here_wrote_and_reads_them_all_the_same(
    store: SqliteMessageStore, path: str
) -> None:
    leave(store, REFS[1])
    event = EventRow(ref=REFS[0], at_ns=1, name="held", reason="pacing")
    store.transact(lambda tx: tx.add_event(event), wait_seconds=2)
    assert store.integrity() == ()
    run_sql(
        path,
        f"UPDATE messages SET reason = 'made-up' WHERE ref = '{REFS[0]}'",
        f"UPDATE history SET reason = 'made-up' WHERE ref = '{REFS[1]}'",
        "UPDATE events SET reason = 'made-up', name = 'made-up'",
        f"INSERT INTO events (ref, at_ns, name, reason) VALUES ('{REFS[9]}', 1, 'held', '')",
    )
    found = store.integrity()
    assert [problem.partition(":")[0] for problem in found] == [
        *("events", "messages", "history", "events", "events")
    ]
    assert REFS[9] in found[0]
    assert sum("does not know" in problem for problem in found) == 4
    row = store.view(lambda tx: tx.message(REFS[0]))
    assert row is not None
    assert row.reason == "made-up"


def test_integrity_of_no_store_creates_none(tmp_path: Path) -> None:
    nothing = SqliteMessageStore(str(tmp_path / "state" / "tidings.db"), codec=CODEC)
    assert nothing.integrity() == ()
    assert os.listdir(tmp_path) == []


def test_a_backup_is_whole_private_and_replaces_nothing(
    store: SqliteMessageStore, tmp_path: Path
) -> None:
    leave(store, REFS[1])
    copy = tmp_path / "copy.db"
    store.backup(str(copy))
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.db", "state"]
    read = SqliteMessageStore(str(copy), codec=CODEC)
    assert read.integrity() == ()
    assert read.view(lambda tx: tx.message(REFS[0])) is not None
    assert read.view(lambda tx: tx.history(REFS[1])) is not None
    read.close()
    before = copy.read_bytes()
    with pytest.raises(StateUnwritable, match=r"copy\.db"):
        store.backup(str(copy))
    assert copy.read_bytes() == before
    nothing = SqliteMessageStore(str(tmp_path / "none" / "tidings.db"), codec=CODEC)
    with pytest.raises(StateUnwritable, match="nothing is stored"):
        nothing.backup(str(tmp_path / "other.db"))
    assert not (tmp_path / "other.db").exists()


def test_an_export_has_every_line_in_order_over_many_pages(
    store: SqliteMessageStore, tmp_path: Path
) -> None:
    refs = [f"job-{number}" for number in range(PAGE + 3)]
    leave(store, *refs)
    file = tmp_path / "history.jsonl"
    lines = (row.line for row in history_rows(store))
    assert write_lines(str(file), lines, codec=CODEC) == len(refs)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    told = [json.loads(line)["messageRef"] for line in file.read_text().splitlines()]
    assert told == refs
    assert os.listdir(tmp_path) == ["state", "history.jsonl"] or len(os.listdir(tmp_path)) == 2


def test_an_export_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    file.write_text("old\n")
    with pytest.raises(ValueError, match="surrogate"):
        write_lines(str(file), [{"messageRef": "a"}, {"messageRef": "\ud800"}], codec=CODEC)
    assert file.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["history.jsonl"]
    with pytest.raises(StateUnwritable):
        write_lines(str(tmp_path / "none" / "history.jsonl"), [], codec=CODEC)


@pytest.mark.case("M92", "M95", "M97")
def test_an_archive_is_read_leniently_and_the_store_wins(
    store: SqliteMessageStore, path: str, tmp_path: Path
) -> None:
    leave(store, REFS[1])
    file = tmp_path / "history.jsonl"
    whole = [
        {"messageRef": REFS[1], "state": "of the export"},
        {"messageRef": REFS[2], "schemaVersion": 2, "colour": "red"},
        {"messageRef": REFS[3], "schemaVersion": 0},
    ]
    torn = ['{"messageRef": ""}', "no json", "[1]", "{}"]
    text = "".join(f"{line}\n" for line in [*map(json.dumps, whole), *torn])
    file.write_text(text + '{"messageRef": "torn')
    before, looked = file.stat().st_mtime_ns, set(os.listdir(os.path.dirname(path)))
    rows = everything(path)
    read = read_lines(str(file), codec=CODEC)
    assert (len(read.lines), read.skipped) == (3, 5)
    assert [line["schemaVersion"] for line in read.lines] == [1, 2, 1]
    lines = joined(store, read.lines)
    assert list(lines) == REFS[1:4]
    assert lines[REFS[1]] == past(REFS[1]).line
    assert (file.read_text(), file.stat().st_mtime_ns) == (text + '{"messageRef": "torn', before)
    assert set(os.listdir(os.path.dirname(path))) == looked
    assert everything(path) == rows


def everything(path: str) -> list[str]:
    """Every statement that would make this database."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


@pytest.mark.case("M95")
def test_a_message_that_leaves_between_two_looks_is_in_one_place_in_each(
    store: SqliteMessageStore, path: str
) -> None:
    """One snapshot: in the store or in history, never in both and never in neither."""
    other = SqliteMessageStore(path, codec=CODEC)
    store.transact(lambda tx: tx.insert_message(delivered(REFS[1])), wait_seconds=2)

    def places(tx: StoreTransaction) -> tuple[bool, bool]:
        return (tx.message(REFS[1]) is not None, tx.history(REFS[1]) is not None)

    def look_twice(tx: StoreTransaction) -> list[tuple[bool, bool]]:
        in_store = tx.message(REFS[1]) is not None
        other.transact(lambda leaving: leaving.reclaim(past(REFS[1])), wait_seconds=2)
        return [(in_store, tx.history(REFS[1]) is not None), places(tx)]

    assert store.view(look_twice) == [(True, False), (True, False)]
    assert store.view(places) == (False, True)
    other.close()


@pytest.mark.case("M95")
def test_while_messages_leave_every_look_finds_each_exactly_once(
    store: SqliteMessageStore, path: str
) -> None:
    refs = [f"job-{number}" for number in range(40)]
    store.transact(lambda tx: [tx.insert_message(delivered(ref)) for ref in refs], wait_seconds=2)

    def one_leaves(ref: str) -> Callable[[StoreTransaction], None]:
        return lambda tx: tx.reclaim(past(ref))

    def let_leave() -> None:
        with closing(SqliteMessageStore(path, codec=CODEC)) as other:
            for ref in refs:
                other.transact(one_leaves(ref), wait_seconds=10)

    def look() -> tuple[list[str], list[str]]:
        return store.view(
            lambda tx: (
                [row.ref for row in tx.recent(after_seq=0, limit=99)],
                [row.ref for row in tx.history_after(0, limit=99)],
            ),
            wait_seconds=10,
        )

    looks = [look()]
    leaving = threading.Thread(target=let_leave)
    leaving.start()
    while leaving.is_alive():
        looks.append(look())
    assert look() == ([REFS[0]], refs)
    for stored, left in looks:
        assert sorted(stored + left) == sorted([REFS[0], *refs])


@pytest.mark.case("M91", "M94")
def test_no_archive_is_an_empty_one_and_a_folder_in_its_place_is_an_error(tmp_path: Path) -> None:
    nothing = SqliteMessageStore(str(tmp_path / "state" / "tidings.db"), codec=CODEC)
    read = read_lines(str(tmp_path / "history.jsonl"), codec=CODEC)
    assert dict(joined(nothing, read.lines)) == {}
    assert os.listdir(tmp_path) == []
    with pytest.raises(StateUnreadable, match=str(tmp_path)):
        read_lines(str(tmp_path), codec=CODEC)


def test_no_statement_of_an_accept_or_of_a_queue_scans(path: str) -> None:
    """Every statement of these paths is asked for its plan as it is run."""
    plans: list[tuple[str, str]] = []

    class Asking(sqlite3.Connection):
        def execute(self, *arguments: object) -> sqlite3.Cursor:
            sql = str(arguments[0])
            if sql.startswith(("SELECT", "INSERT", "UPDATE", "DELETE")) and "meta" not in sql:
                values = arguments[1] if len(arguments) > 1 else ()
                found = super().execute(f"EXPLAIN QUERY PLAN {sql}", values)  # type: ignore[arg-type]
                plans.extend((sql, str(row[3])) for row in found)
            return super().execute(*arguments)  # type: ignore[arg-type]

    asking = SqliteMessageStore(path, codec=CODEC, connection_class=Asking)
    bench = Bench(store=asking)
    bench.send()
    plans.clear()
    bench.send(ref="given-1")
    bench.office.send(bench.draft(ref="given-1"))
    bench.dispatcher.step(bench.post)
    asking.close()
    assert len(plans) > 20
    scans = [
        (sql, plan)
        for sql, plan in plans
        if plan.startswith("SCAN") and not plan.startswith(("SCAN CONSTANT", "SCAN (subquery"))
        if "sqlite_master" not in sql
    ]
    assert scans == []


class Commits(sqlite3.Connection):
    """Counts the transactions that wrote."""

    count = 0

    def execute(self, *arguments: object) -> sqlite3.Cursor:
        Commits.count += arguments[0] == "COMMIT"
        return super().execute(*arguments)  # type: ignore[arg-type]


@pytest.mark.case("M52", "M70")
def test_mark_and_outcome_are_one_transaction_each_on_every_transport(path: str) -> None:
    store = SqliteMessageStore(path, codec=CODEC, connection_class=Commits)
    bench = Bench(store=store)
    pulls = bench.run("lib", provider=Provider.PROCESS)
    bench.arm(pulls)
    taken: list[Frame] = []
    ways: dict[Receipt, Callable[[], object]] = {
        bench.send(): lambda: bench.dispatcher.step(bench.post),
        bench.send(target=pulls): lambda: bench.inbox.pull(pulls.activation_id, taken.append),
    }
    judged_before = [1, 0]  # the dispatcher judges once more before it makes the frame
    for (receipt, hand_off), judged in zip(ways.items(), judged_before, strict=True):
        Commits.count = 0
        hand_off()
        row = bench.row(receipt.ref)
        assert Commits.count - judged == 2
        assert (row.state, row.handoff_at_ns is not None) == ("delivered", True)
    transports = [bench.row(receipt.ref).transport for receipt in ways]
    assert transports == ["harness-socket", "inbox"]
    store.close()


@pytest.mark.case("M71")
def test_an_outcome_for_no_message_and_a_mark_on_none_write_nothing(
    store: SqliteMessageStore,
) -> None:
    now = NOON
    store.transact(
        lambda tx: put_outcome(tx, REFS[9], SELF_CLAIM, now),
        wait_seconds=2,
    )
    mark = Mark(transport=TransportName.INBOX, writer_generation="g", frame_sha256=None)
    with pytest.raises(ValueError, match="not stored"):
        store.transact(lambda tx: put_mark(tx, message(REFS[9]), mark, now), wait_seconds=2)
    assert [row.ref for row in store.view(lambda tx: tx.recent(after_seq=0, limit=9))] == [REFS[0]]
    assert list(store.view(lambda tx: tx.events(REFS[9]))) == []
