"""Pulling: marked, handed over, claimed; never twice by itself (D17)."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from support.post import DIALOG, Bench
from tidings.adapters.memory.messages import MemoryMessageStore
from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.messages.frame import Frame
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outcomes import Delivered, LeaseLost, Nothing, Settled
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import LockTimeout, StoreLocked
from tidings.ports.messages import MessageStore
from tidings.ports.tokens import LockKind, Provider


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def mux(bench: Bench) -> ActivationRow:
    row = bench.run("mux", provider=Provider.PROCESS)
    bench.arm(row)
    return row


def test_messages_are_pulled_whole_and_in_order(bench: Bench, mux: ActivationRow) -> None:
    long = "x" * 20_000
    first = bench.send(long, target=mux)
    second = bench.send("notice", target=mux, kind=MessageKind.NOTICE)
    pulled: list[Frame] = []
    assert bench.inbox.pull(mux.activation_id, pulled.append) == Delivered(ref=first.ref)
    assert bench.inbox.pull(mux.activation_id, pulled.append) == Delivered(ref=second.ref)
    assert bench.inbox.pull(mux.activation_id, pulled.append) == Nothing()
    assert [frame.shown for frame in pulled] == [long, "notice"]
    row = bench.row(first.ref)
    assert (row.state, row.reason, row.transport) == ("delivered", "target-self-claim", "inbox")
    assert bench.transport.writes_begun == 0


@pytest.mark.case("F2")
@pytest.mark.parametrize("has_resident", [False, True])
def test_with_every_push_path_off_a_message_waits_and_a_pull_returns_it(
    bench: Bench, has_resident: bool
) -> None:
    lonely = bench.run("lonely")
    bench.arm(lonely)
    if has_resident:
        bench.take_post(lonely, listens=False)
    receipt = bench.send("keep me", target=lonely)
    assert (receipt.state, receipt.reason) == ("held", "target-not-ready")
    bench.clock.advance(3600)
    assert bench.office.settle_due(lonely.agent_uid) == ()
    assert bench.state(receipt.ref) == ("held", "target-not-ready")
    pulled: list[Frame] = []
    assert bench.inbox.pull(lonely.activation_id, pulled.append) == Delivered(ref=receipt.ref)
    assert [frame.shown for frame in pulled] == ["keep me"]
    assert bench.transport.writes_begun == 0


def test_a_harness_agent_may_pull_what_no_push_delivered(bench: Bench) -> None:
    bench.freedom.now = DIALOG
    receipt = bench.send()
    bench.dispatcher.step(bench.post)
    pulled: list[Frame] = []
    assert bench.state(receipt.ref)[0] == "held"
    assert bench.inbox.pull(bench.api.activation_id, pulled.append) == Delivered(ref=receipt.ref)
    assert bench.dispatcher.step(bench.post) == Nothing()


@pytest.mark.case("M59")
def test_what_was_perhaps_read_is_not_shown_again(bench: Bench, mux: ActivationRow) -> None:
    receipt = bench.send(target=mux)

    def fails(_: Frame) -> None:
        assert bench.row(receipt.ref).handoff_at_ns is not None
        assert bench.locks.is_taken(LockKind.DELIVERY, mux.session_key)
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        bench.inbox.pull(mux.activation_id, fails)
    bench.clock.advance(7200)
    pulled: list[Frame] = []
    outcome = bench.inbox.pull(mux.activation_id, pulled.append)
    assert isinstance(outcome, Settled)
    assert outcome.outcome_unknown
    assert bench.state(receipt.ref) == ("failed", "provider-handoff-outcome-unknown")
    assert pulled == []


def patiently(action: Callable[[], object]) -> None:
    """Again where the store or a lock stayed taken: on a busy machine 64 threads may wait long."""
    while True:
        try:
            action()
        except (StoreLocked, LockTimeout):
            continue
        return


@pytest.fixture(params=["memory", "SQLite"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MessageStore]:
    if request.param == "memory":
        yield MemoryMessageStore()
        return
    store = SqliteMessageStore(str(tmp_path / "state" / "tidings.db"), codec=JsonCodec())
    yield store
    store.close()


@pytest.mark.case("M57")
def test_sixty_four_messages_and_sixty_four_pulls(any_store: MessageStore) -> None:
    bench = Bench(store=any_store)
    mux = bench.run("mux", provider=Provider.PROCESS)
    bench.arm(mux)
    pulled: list[Frame] = []

    def send() -> None:
        patiently(lambda: bench.send(target=mux, kind=MessageKind.AUTOMATION))

    def pull() -> None:
        patiently(lambda: bench.inbox.pull(mux.activation_id, pulled.append))

    senders = [threading.Thread(target=send) for _ in range(64)]
    pullers = [threading.Thread(target=pull) for _ in range(64)]
    for threads in (senders, pullers):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=30)
    rows = bench.store.view(lambda tx: tx.recent(after_seq=0, limit=100))
    assert len(rows) == 64
    assert [frame.message_ref for frame in pulled] == [row.ref for row in rows]


def test_consent_is_asked_at_the_pull_too(bench: Bench, mux: ActivationRow) -> None:
    receipt = bench.send(target=mux)
    bench.disarm(mux)
    pulled: list[Frame] = []
    assert isinstance(bench.inbox.pull(mux.activation_id, pulled.append), Settled)
    assert bench.state(receipt.ref) == ("refused", "consent-withdrawn")
    assert pulled == []


def test_an_ended_or_unknown_run_pulls_nothing(bench: Bench, mux: ActivationRow) -> None:
    bench.send(target=mux)
    bench.put(replace(mux, ended_at_ns=1, end_reason="gone"))
    pulled: list[Frame] = []
    assert bench.inbox.pull(mux.activation_id, pulled.append) == LeaseLost()
    assert bench.inbox.pull("nowhere", pulled.append) == LeaseLost()
    assert pulled == []
