"""The store under real processes: killed at any moment, and many at once (P11)."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.adapters.wire.json_codec import JsonCodec

WRITER = """
import sys
from dataclasses import replace
from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.message_rows import message
from tidings.ports.messages import EventRow

path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = SqliteMessageStore(path, codec=JsonCodec())
for number in range(count):
    ref = f"m{name}{number:06d}"

    def work(tx):
        row = tx.insert_message(message(ref))
        tx.update_message(replace(row, state="held", reason="pacing"))
        tx.add_event(EventRow(ref=ref, at_ns=1, name="held", reason="pacing"))

    store.transact(work, wait_seconds=30)
    print(ref, flush=True)
"""


def start(path: Path, name: str, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-I", "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def refs_of(path: Path) -> list[str]:
    store = SqliteMessageStore(str(path), codec=JsonCodec())
    rows = store.view(lambda tx: tx.recent(after_seq=0, limit=10_000))
    events = store.view(lambda tx: {row.ref: len(tx.events(row.ref)) for row in rows})
    store.close()
    assert {row.state for row in rows} <= {"held"}
    assert set(events.values()) <= {1}
    return [row.ref for row in rows]


def integrity(path: Path) -> str:
    connection = sqlite3.connect(path)
    (word,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    return str(word)


@pytest.mark.parametrize("lines", [1, 2, 5, 11])
def test_a_killed_writer_loses_nothing_that_it_told(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "tidings.db"
    writer = start(path, "a", 100_000)
    assert writer.stdout is not None
    told = [writer.stdout.readline().strip() for _ in range(lines)]
    writer.kill()
    told += writer.stdout.read().split()
    writer.stdout.close()
    writer.wait(timeout=10)
    stored = refs_of(path)
    assert stored[: len(told)] == told
    assert len(stored) <= len(told) + 1
    assert integrity(path) == "ok"


def test_four_processes_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "tidings.db"
    writers = [start(path, name, 60) for name in "abcd"]
    told = [ref for writer in writers for ref in writer.communicate(timeout=40)[0].split()]
    assert [writer.returncode for writer in writers] == [0] * 4
    assert len(told) == 240
    assert sorted(refs_of(path)) == sorted(told)
    assert integrity(path) == "ok"
