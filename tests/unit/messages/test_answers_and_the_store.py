"""Answers that the store does not take: nothing half stored, and the lane neither lost nor doubled."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import pytest

from support.post import Bench, accepted
from tidings.adapters.memory.messages import MemoryMessageStore
from tidings.domain.messages.outcomes import Delivered
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.room import StoreLimits
from tidings.domain.messages.send_outcome import Refused, SendOutcome
from tidings.ports.errors import StateUnwritable, StoreLocked, TidingsError
from tidings.ports.messages import MessageRow, StoreTransaction

T = TypeVar("T")


class UnclearStore(MemoryMessageStore):
    """A store that fails before its commit, or tells of a failure after it."""

    waits: tuple[float, ...] = ()
    before: TidingsError | None = None
    after: TidingsError | None = None

    def transact(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float) -> T:
        self.waits = (*self.waits, wait_seconds)
        if self.before is not None:
            raise self.before
        result = super().transact(work, wait_seconds=wait_seconds)
        if self.after is not None:
            raise self.after
        return result


def asked(bench: Bench) -> str:
    """A question that api has read."""
    receipt = bench.send("does /v2 work?")
    assert isinstance(bench.dispatcher.step(bench.post), Delivered)
    return receipt.ref


def answer(bench: Bench, ref: str) -> SendOutcome:
    return bench.office.answer(ref, "it does", replier=bench.api, proof=Proof.KERNEL_PEER)


def rows(bench: Bench) -> Sequence[MessageRow]:
    return bench.store.view(lambda tx: tx.recent(after_seq=0, limit=100))


@pytest.mark.case("M194")
@pytest.mark.parametrize("is_recovery", [False, True], ids=["first", "after a known zero"])
def test_an_answer_for_which_there_is_no_room_changes_nothing(is_recovery: bool) -> None:
    bench = Bench(limits=StoreLimits(records=2 if is_recovery else 1))
    ref = asked(bench)
    if is_recovery:
        failed = replace(
            bench.row(accepted(answer(bench, ref)).ref),
            state="failed",
            reason="provider-write-zero",
            terminal_at_ns=bench.clock.now().wall_ns,
        )
        bench.store.transact(lambda tx: tx.update_message(failed), wait_seconds=0)
    before = rows(bench)
    outcome = answer(bench, ref)
    assert isinstance(outcome, Refused)
    assert (outcome.reason, outcome.exit_code) == ("store-full", 1)
    assert rows(bench) == before
    assert list(bench.store.view(lambda tx: tx.history_after(0, limit=9))) == []
    bench.limits = StoreLimits()
    accepted(answer(bench, ref))


@pytest.mark.case("M195", "R226")
def test_a_busy_store_leaves_the_lane_open_and_an_unclear_commit_closes_it() -> None:
    store = UnclearStore()
    bench = Bench(store=store)
    ref = asked(bench)
    store.before = StoreLocked("the store stayed locked")
    with pytest.raises(StoreLocked):
        answer(bench, ref)
    assert store.waits[-1] == 0
    assert len(rows(bench)) == 1
    store.before, store.after = None, StateUnwritable("was it written?")
    with pytest.raises(StateUnwritable):
        answer(bench, ref)
    store.after = None
    outcome = answer(bench, ref)
    assert isinstance(outcome, Refused)
    assert outcome.reason == "reply-already-committed"
    assert outcome.earlier_ref == bench.row(ref).answer_ref
    assert len(rows(bench)) == 2
