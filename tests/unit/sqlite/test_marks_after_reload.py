"""What a new process makes of a hand-off mark it finds in the file (M 2.3, 2.2)."""

from dataclasses import replace
from pathlib import Path

import pytest

from support.post import Bench, accepted
from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.messages.delivery import State
from tidings.domain.messages.limits import SECOND_NS
from tidings.domain.messages.outcomes import Settled
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.receipt import MessageView
from tidings.domain.messages.send_outcome import Refused, SendOutcome
from tidings.domain.messages.views import view_of
from tidings.ports.messages import MessageRow, StoreTransaction
from tidings.ports.tokens import WriteResult

UNKNOWN = "provider-handoff-outcome-unknown"


def stored_anew(path: str, *rows: MessageRow) -> SqliteMessageStore:
    """The rows written to a file by one store, and another one opened on it."""

    def work(tx: StoreTransaction) -> None:
        for row in rows:
            tx.insert_message(replace(row, seq=0))

    writer = SqliteMessageStore(path, codec=JsonCodec())
    writer.transact(work, wait_seconds=1)
    writer.close()
    return SqliteMessageStore(path, codec=JsonCodec())


def shown(bench: Bench, store: SqliteMessageStore, ref: str) -> MessageView:
    now = bench.clock.now()
    return store.view(lambda tx: view_of(tx, ref, now))


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "state" / "tidings.db")


@pytest.mark.case("M60")
def test_a_mark_whose_deadline_passed_is_an_unknown_outcome_after_a_reload(path: str) -> None:
    bench = Bench()
    receipt = bench.send(ttl_ns=10 * SECOND_NS)
    rows: list[MessageRow] = []
    bench.transport.before_write = lambda: rows.append(bench.row(receipt.ref))
    bench.dispatcher.step(bench.post)
    (row,) = rows
    assert row.handoff_at_ns is not None
    store = stored_anew(path, row)
    assert shown(bench, store, receipt.ref).state == "accepted"
    bench.clock.advance(10)
    view = shown(bench, store, receipt.ref)
    assert (view.state, view.row.reason, view.row.outcome_unknown) == ("failed", UNKNOWN, True)
    assert view.exit_code == 8
    store.close()


@pytest.mark.case("M76")
def test_an_overdue_mark_is_settled_as_unknown_and_never_as_expired() -> None:
    bench = Bench()
    receipt = bench.send(ttl_ns=10 * SECOND_NS)
    rows: list[MessageRow] = []
    bench.transport.before_write = lambda: rows.append(bench.row(receipt.ref))
    bench.dispatcher.step(bench.post)
    torn = replace(rows[0], seq=bench.row(receipt.ref).seq)
    bench.store.transact(lambda tx: tx.update_message(torn), wait_seconds=0)
    bench.clock.advance(3600)
    assert bench.office.settle_due("agent-api") == ()
    assert bench.dispatcher.step(bench.post) == Settled(
        ref=receipt.ref, state=State.FAILED, reason=UNKNOWN, outcome_unknown=True
    )
    row = bench.row(receipt.ref)
    assert (row.state, row.reason, row.outcome_unknown) == ("failed", UNKNOWN, True)


@pytest.mark.case("M76")
@pytest.mark.parametrize(("seconds", "reason"), [(59, ""), (60, UNKNOWN)])
def test_the_next_acceptance_ends_an_overdue_mark_once_its_writer_is_surely_gone(
    seconds: int, reason: str
) -> None:
    bench = Bench()
    receipt = bench.send(ttl_ns=35 * SECOND_NS)
    bench.clock.advance(30)
    rows: list[MessageRow] = []
    bench.transport.before_write = lambda: rows.append(bench.row(receipt.ref))
    bench.dispatcher.step(bench.post)
    torn = replace(rows[0], seq=bench.row(receipt.ref).seq)
    bench.store.transact(lambda tx: tx.update_message(torn), wait_seconds=0)
    bench.clock.advance(seconds)
    bench.send("the next acceptance")
    row = bench.row(receipt.ref)
    assert row.state == ("failed" if reason else "accepted")
    assert (row.reason, row.outcome_unknown) == (reason, bool(reason))
    assert row.terminal_at_ns == (bench.clock.now().wall_ns if reason else None)
    assert list(bench.store.view(lambda tx: tx.history_after(0, limit=9))) == []


@pytest.mark.case("M189")
def test_a_zero_write_leaves_room_for_one_fresh_answer_and_the_old_one_is_kept(path: str) -> None:
    bench = Bench()
    asked = bench.send("does it work?").ref
    bench.dispatcher.step(bench.post)
    front = bench.take_post(bench.front, "generation-front")

    def answer(text: str) -> SendOutcome:
        return bench.office.answer(asked, text, replier=bench.api, proof=Proof.KERNEL_PEER)

    first = accepted(answer("yes"))
    bench.transport.script(WriteResult.ZERO)
    bench.dispatcher.step(front)
    kept = bench.row(first.ref)
    assert (kept.state, kept.reason) == ("failed", "provider-write-zero")
    second = accepted(answer("yes, again"))
    assert isinstance(answer("a third"), Refused)
    rows = [bench.row(ref) for ref in (asked, first.ref, second.ref)]
    assert rows[1] == kept
    assert rows[2].reply_to == rows[1].reply_to == asked
    assert len({row.conversation_ref for row in rows}) == 1
    store = stored_anew(path, *rows)
    assert store.view(lambda tx: tx.recent(after_seq=0, limit=9)) == rows
    store.close()
