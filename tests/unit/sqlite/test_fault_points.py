"""A failure at any statement of any write path: whole or not at all, and never lost (P11, D30)."""

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.post import DIALOG, IDLE, Bench, accepted
from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.messages.limits import SECOND_NS
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.room import DAY_NS, StoreLimits
from tidings.domain.messages.send_outcome import Refused
from tidings.ports.errors import StateUnreadable

TABLES = ("messages", "events", "history", "meta", "activations", "registrations")
Act = Callable[[Bench], object]


class Fault:
    """Lets the statement with the given number fail, counting from when it is set."""

    countdown = 0


class FaultyConnection(sqlite3.Connection):
    """Fails where ``Fault`` says, as a full or broken disk would."""

    def execute(self, *arguments: object) -> sqlite3.Cursor:
        Fault.countdown -= arguments[0] != "ROLLBACK"  # which takes back, and may fail in peace
        if Fault.countdown == 0:
            error = sqlite3.OperationalError("injected")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error
        return super().execute(*arguments)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A write path: what is there before, the act, and whether it is one transaction."""

    before: Act
    act: Act
    is_whole: bool = True


def send(**options: object) -> Act:
    return lambda bench: bench.send(**options)  # type: ignore[arg-type]


def nothing(_bench: Bench) -> None:
    """No message is there yet."""


def one_delivered(bench: Bench) -> None:
    bench.send(ref="asked")
    bench.dispatcher.step(bench.post)


def two_ended(bench: Bench) -> None:
    for ref in ("old-1", "old-2"):
        bench.send(ref=ref, ttl_ns=10 * SECOND_NS)
        bench.clock.advance(10)
        bench.office.settle_due("agent-api")


def long_ago(bench: Bench) -> None:
    two_ended(bench)
    bench.clock.advance_ns(2 * DAY_NS)


def two_overdue(bench: Bench) -> None:
    for ref in ("due-1", "due-2"):
        bench.send(ref=ref, ttl_ns=10 * SECOND_NS)
    bench.clock.advance(3_600)


def waiting_then_disarmed(bench: Bench) -> None:
    bench.send(ref="waits")
    bench.disarm(bench.api)


def answer(bench: Bench) -> object:
    return accepted(
        bench.office.answer("asked", "done", replier=bench.api, proof=Proof.ANCESTRY, ref="answer")
    )


def step_behind_a_dialog(bench: Bench) -> object:
    bench.freedom.now = DIALOG
    try:
        return bench.dispatcher.step(bench.post)
    finally:
        bench.freedom.now = IDLE


PATHS = {
    "the first send": Way(before=nothing, act=send(ref="new")),
    "a push, which changes the format": Way(
        before=send(ref="old"),
        act=lambda bench: accepted(
            bench.office.send(bench.draft(kind=MessageKind.PUSH, ref="new"))
        ),
    ),
    "a send that ends what is overdue": Way(before=two_overdue, act=send(ref="new")),
    "a send that lets the old leave": Way(before=long_ago, act=send(ref="new")),
    "a send at the limit": Way(before=two_ended, act=send(ref="new")),
    "an answer": Way(before=one_delivered, act=answer),
    "a cancel": Way(
        before=send(ref="mine"),
        act=lambda bench: bench.office.cancel("mine", source_agent="agent-front"),
    ),
    "settling": Way(before=two_overdue, act=lambda bench: bench.office.settle_due("agent-api")),
    "a withdrawal": Way(
        before=waiting_then_disarmed, act=lambda bench: bench.office.withdraw("agent-api")
    ),
    "holding back": Way(
        before=send(ref="waits"), act=lambda bench: bench.office.hold_back("agent-api")
    ),
    "a hold behind a dialog": Way(before=send(ref="waits"), act=step_behind_a_dialog),
    "a delivery": Way(
        before=send(ref="goes"), act=lambda bench: bench.dispatcher.step(bench.post), is_whole=False
    ),
}


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row, and the format."""
    connection = sqlite3.connect(path)
    try:
        rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}
        return rows | {"form": connection.execute("PRAGMA user_version").fetchall()}
    finally:
        connection.close()


def known_refs(rows: dict[str, list[tuple[object, ...]]]) -> set[object]:
    """Refs in the store or in history: the second column of both."""
    return {row[1] for name in ("messages", "history") for row in rows[name]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "tidings.db"


@pytest.fixture
def bench(path: Path) -> Iterator[Bench]:
    Fault.countdown = 0
    store = SqliteMessageStore(str(path), codec=JsonCodec(), connection_class=FaultyConnection)
    yield Bench(store=store, limits=StoreLimits(records=2))
    Fault.countdown = 0
    store.close()


@pytest.mark.case("M82")
def test_a_full_store_refuses_and_the_disk_is_as_before(bench: Bench, path: Path) -> None:
    bench.send(ref="waits-1")
    bench.send(ref="due-1", ttl_ns=10 * SECOND_NS)
    before = dump(path)
    for kind in (MessageKind.AGENT, MessageKind.PUSH):
        refused = bench.office.send(bench.draft(kind=kind))
        assert isinstance(refused, Refused)
        assert refused.reason == "store-full"
        assert dump(path) == before


def attempt(bench: Bench, act: Act, *, at: int) -> bool:
    """Runs ``act`` with the statement ``at`` failing; whether the failure was met."""
    Fault.countdown = at
    with suppress(StateUnreadable):
        act(bench)
    met = Fault.countdown <= 0
    Fault.countdown = 0
    return met


@pytest.mark.case("M54", "M85", "M86")
@pytest.mark.parametrize("name", PATHS)
def test_a_failure_at_any_statement_changes_nothing_or_is_told(
    bench: Bench, path: Path, name: str, record_property: Callable[[str, object], None]
) -> None:
    way = PATHS[name]
    way.before(bench)
    before, points = dump(path), 0
    while attempt(bench, way.act, at=points + 1):
        points += 1
        after = dump(path)
        assert known_refs(before) <= known_refs(after), f"lost at statement {points}"
        if way.is_whole:
            assert after == before, f"half a change at statement {points}"
    after = dump(path)
    assert after != before
    assert known_refs(before) <= known_refs(after)
    assert len(bench.transport.written) <= 1
    assert points >= 5
    record_property("fault_points", points)
    sys.stdout.write(f"{name}: {points} fault points\n")
