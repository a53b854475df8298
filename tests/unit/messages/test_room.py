"""Making room: what leaves, what stays, and what its ref answers afterwards (M 7.6, 7.7; D31)."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support.post import Bench, accepted
from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.identity.digest import sha256
from tidings.domain.messages.limits import SECOND_NS
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.room import DAY_NS, StoreLimits
from tidings.domain.messages.send_outcome import Refused
from tidings.ports.errors import NotFound
from tidings.ports.history import HistoryRow
from tidings.ports.messages import MessageRow

DAY_SECONDS = DAY_NS // SECOND_NS


@pytest.fixture
def bench() -> Bench:
    """A bench whose store is as large as it is shipped."""
    return Bench()


@pytest.fixture
def small() -> Bench:
    """A bench whose store takes four messages."""
    return Bench(limits=StoreLimits(records=4))


def deliver(bench: Bench, **options: object) -> str:
    """Sends one message and delivers it; its ref."""
    ref = bench.send(**options).ref  # type: ignore[arg-type]
    bench.dispatcher.step(bench.post)
    assert bench.state(ref)[0] == "delivered"
    return ref


def expire(bench: Bench, **options: object) -> str:
    """Sends one message that expires after ten seconds; its ref."""
    ref = bench.send(ttl_ns=10 * SECOND_NS, **options).ref  # type: ignore[arg-type]
    bench.clock.advance(10)
    bench.office.settle_due("agent-api")
    assert bench.state(ref)[0] == "expired"
    return ref


def stored(bench: Bench) -> list[str]:
    return [row.ref for row in bench.store.view(lambda tx: tx.recent(after_seq=0, limit=99))]


def left(bench: Bench) -> list[HistoryRow]:
    return list(bench.store.view(lambda tx: tx.history_after(0, limit=99)))


@pytest.mark.case("M80")
def test_what_ended_more_than_a_day_ago_leaves_and_exactly_a_day_stays(bench: Bench) -> None:
    ref = expire(bench)
    bench.clock.advance_ns(DAY_NS)
    kept = bench.send().ref
    assert stored(bench) == [ref, kept]
    bench.clock.advance(60)
    later = bench.send().ref
    assert stored(bench) == [kept, later]
    assert [(row.ref, row.cause) for row in left(bench)] == [(ref, "retention")]


@pytest.mark.case("M80")
@pytest.mark.parametrize(("beyond_ns", "leaves"), [(0, False), (1, True)])
def test_a_nanosecond_more_than_a_day_is_more_than_a_day(
    bench: Bench, beyond_ns: int, *, leaves: bool
) -> None:
    ref = expire(bench)
    bench.clock.advance_ns(DAY_NS + beyond_ns)
    bench.send()
    assert [row.ref for row in left(bench)] == ([ref] if leaves else [])
    assert (ref in stored(bench)) is not leaves


@pytest.mark.case("M79")
def test_retention_counts_from_the_end_and_not_from_the_deadline(bench: Bench) -> None:
    ref = bench.send(ttl_ns=10 * SECOND_NS).ref
    bench.clock.advance(2 * DAY_SECONDS)
    bench.send()
    assert bench.state(ref) == ("expired", "deadline-expired")
    assert left(bench) == []
    bench.clock.advance_ns(DAY_NS)
    bench.send()
    assert ref in stored(bench)
    bench.clock.advance(60)
    bench.send()
    assert ref not in stored(bench)
    assert ref in [row.ref for row in left(bench)]


@pytest.mark.case("M81")
def test_at_the_limit_only_the_oldest_that_ended_leaves(small: Bench) -> None:
    refs = [expire(small) for _ in range(4)]
    new = small.send().ref
    assert stored(small) == [*refs[1:], new]
    assert [(row.ref, row.cause) for row in left(small)] == [(refs[0], "capacity")]


@pytest.mark.case("M81")
def test_the_oldest_is_who_was_accepted_first_and_not_who_ended_first(small: Bench) -> None:
    first = small.send(ttl_ns=3600 * SECOND_NS).ref
    early = [expire(small) for _ in range(2)]
    small.clock.advance(3600)
    small.office.settle_due("agent-api")
    assert small.state(first)[0] == "expired"
    waiting = small.send().ref
    new = small.send().ref
    assert stored(small) == [*early, waiting, new]
    assert [(row.ref, row.cause) for row in left(small)] == [(first, "capacity")]


@pytest.mark.case("M82")
def test_a_refusal_for_want_of_room_takes_back_what_it_settled(tmp_path: Path) -> None:
    path = tmp_path / "tidings.db"
    with closing(SqliteMessageStore(str(path), codec=JsonCodec())) as store:
        roomy = Bench(store=store)
        due = roomy.send(ttl_ns=10 * SECOND_NS).ref
        waiting = roomy.send("x" * 60_000, ref="waits").ref
        tight = StoreLimits(size_bytes=path.stat().st_size)
        roomy.clock.advance(3600)
        before = dumped(path)
        roomy.limits = tight
        outcome = roomy.office.send(roomy.draft())
        assert isinstance(outcome, Refused)
        assert outcome.reason == "store-full"
        assert dumped(path) == before
        assert roomy.row(due).state == "accepted"
        roomy.limits = StoreLimits()
        roomy.send()
        assert roomy.state(due) == ("expired", "deadline-expired")
        assert roomy.state(waiting)[0] == "accepted"


def dumped(path: Path) -> list[str]:
    """All that the file holds, as another process reads it."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


@pytest.mark.case("M82")
def test_a_store_full_of_waiting_messages_refuses_and_changes_nothing(small: Bench) -> None:
    refs = [small.send(ref=f"keep-{number}").ref for number in range(3)]
    overdue = small.send(ref="due-1", ttl_ns=10 * SECOND_NS)
    before = [small.row(ref) for ref in (*refs, overdue.ref)]
    outcome = small.office.send(small.draft())
    assert isinstance(outcome, Refused)
    assert (outcome.reason, outcome.exit_code) == ("store-full", 1)
    assert outcome.next_step
    assert [small.row(ref) for ref in (*refs, overdue.ref)] == before
    assert left(small) == []
    small.clock.advance(10)
    assert accepted(small.office.send(small.draft())).ref in stored(small)
    assert [row.ref for row in left(small)] == [overdue.ref]


@pytest.mark.case("M90")
def test_a_delivered_question_with_time_left_and_its_answers_never_leave(small: Bench) -> None:
    small.arm(small.front)
    asked = deliver(small)
    answer = small.office.answer(asked, "done", replier=small.api, proof=Proof.ANCESTRY)
    assert accepted(answer).ref
    others = [expire(small), expire(small)]
    new = small.send().ref
    assert stored(small) == [asked, accepted(answer).ref, others[1], new]
    small.clock.advance(2 * 3600)
    small.office.settle_due("agent-front")
    small.office.settle_due("agent-api")
    small.send()
    assert asked in [row.ref for row in left(small)]


def test_an_answer_makes_room_without_moving_its_own_question(small: Bench) -> None:
    asked = deliver(small)
    refs = [expire(small) for _ in range(3)]
    answer = small.office.answer(asked, "done", replier=small.api, proof=Proof.ANCESTRY)
    assert stored(small) == [asked, *refs[1:], accepted(answer).ref]


def test_bytes_fill_a_store_as_well_as_counts() -> None:
    tight = Bench(limits=StoreLimits(size_bytes=262_144 + 1_500))
    first = expire(tight, text="y" * 3_000)
    large = accepted(tight.office.send(tight.draft("x" * 60_000))).ref
    assert (stored(tight), [row.ref for row in left(tight)]) == ([large], [first])
    outcome = tight.office.send(tight.draft())
    assert isinstance(outcome, Refused)
    assert outcome.reason == "store-full"


@pytest.mark.case("M84")
def test_history_keeps_the_digest_and_the_length_but_never_the_text(small: Bench) -> None:
    text = "geheim: \u00fcber 7"
    ref = expire(small, text=text)
    small.clock.advance(DAY_SECONDS + 1)
    small.send()
    (row,) = left(small)
    assert row.ref == ref
    assert row.line["payloadBytes"] == len(text.encode())
    assert row.line["payloadSHA256"] == sha256(text.encode()).hexdigest()
    assert "geheim" not in json.dumps(row.line)


@pytest.mark.case("M89")
def test_a_line_has_the_keys_of_the_log_in_order_and_at_most_700_bytes(bench: Bench) -> None:
    deliver(bench)
    bench.clock.advance(2 * DAY_SECONDS)
    bench.send()
    (row,) = left(bench)
    assert list(row.line) == [
        *("schemaVersion", "evictedAt", "reason", "adapter", "messageRef", "conversationRef"),
        *("state", "deliveryReason", "handoffObserved", "acceptedAt", "terminalAt"),
        *("payloadBytes", "payloadSHA256", "source", "target"),
    ]
    assert row.line["target"] == {"agentUID": "agent-api", "provider": "claude"}
    assert len(json.dumps(row.line, separators=(",", ":"))) <= 700


@pytest.mark.case("M89")
def test_the_longest_kinds_of_line_fit_too(bench: Bench) -> None:
    bench.arm(bench.front)
    asked = deliver(bench)
    answer = bench.office.answer(asked, "x" * 60_000, replier=bench.api, proof=Proof.ANCESTRY)
    bench.send(kind=MessageKind.AUTOMATION, ttl_ns=10 * SECOND_NS)
    for _ in range(2):
        bench.clock.advance(2 * DAY_SECONDS)
        bench.send()
    lines = [row.line for row in left(bench)]
    assert {"replyTo", "origin"} <= {name for line in lines for name in line}
    assert accepted(answer).ref in [line["messageRef"] for line in lines]
    sizes = [len(JsonCodec().encode(line)) for line in lines]
    assert max(sizes) <= 700, sizes


def test_a_late_retry_is_still_a_retry_and_is_never_sent_again(bench: Bench) -> None:
    ref = deliver(bench, ref="job-7")
    bench.clock.advance(2 * DAY_SECONDS)
    bench.send()
    assert ref not in stored(bench)
    before = (stored(bench), list(bench.transport.written))
    receipt = accepted(bench.office.send(bench.draft(ref="job-7")))
    assert (receipt.replayed, receipt.state, receipt.evidence) == (True, "delivered", "written")
    assert (receipt.ref, receipt.reason) == ("job-7", "provider-pipe-full-frame")
    bench.dispatcher.step(bench.post)
    assert stored(bench) == before[0]
    other = bench.office.send(bench.draft("something else", ref="job-7"))
    assert isinstance(other, Refused)
    assert (other.reason, other.earlier_ref) == ("ref-envelope-mismatch", "job-7")
    assert "provider-pipe-full-frame" in other.detail
    longer = bench.office.send(bench.draft(ref="job-7", ttl_ns=11 * SECOND_NS))
    assert isinstance(longer, Refused)


def test_a_late_retry_of_an_answer_is_still_a_retry(bench: Bench) -> None:
    bench.arm(bench.front)
    asked = deliver(bench)
    kept = {"replier": bench.api, "proof": Proof.ANCESTRY, "ref": "answer-1"}
    accepted(bench.office.answer(asked, "done", **kept))  # type: ignore[arg-type]
    bench.clock.advance(2 * DAY_SECONDS)
    bench.send()
    bench.clock.advance(2 * DAY_SECONDS)
    bench.send()
    assert {asked, "answer-1"} <= {row.ref for row in left(bench)}
    again = accepted(bench.office.answer(asked, "done", **kept))  # type: ignore[arg-type]
    assert (again.replayed, again.ref) == (True, "answer-1")
    other = bench.office.answer(asked, "not done", **kept)  # type: ignore[arg-type]
    assert isinstance(other, Refused)
    assert other.reason == "reply-ref-envelope-mismatch"


def test_history_is_forgotten_after_ninety_days_and_beyond_its_count() -> None:
    bench = Bench(limits=StoreLimits(records=4))
    for _ in range(9):
        expire(bench)
    bench.clock.advance(60)
    bench.send()
    assert len(left(bench)) <= 5
    bench.clock.advance(90 * DAY_SECONDS + 1)
    bench.send()
    assert all(row.evicted_at_ns == bench.clock.now().wall_ns for row in left(bench))


def test_a_mark_whose_writer_may_still_write_is_left_alone(bench: Bench) -> None:
    ref = bench.send(ttl_ns=100 * SECOND_NS).ref
    bench.clock.advance(90)
    mark(bench, bench.row(ref))
    bench.clock.advance(30)
    bench.send()
    assert bench.state(ref)[0] == "accepted"
    bench.clock.advance(60)
    bench.send()
    assert bench.row(ref).outcome_unknown
    assert bench.state(ref) == ("failed", "provider-handoff-outcome-unknown")


def mark(bench: Bench, row: MessageRow) -> None:
    """A writer sets the mark and is not heard of again."""
    from tidings.ports.values import replace

    marked = replace(
        row,
        transport="harness-socket",
        writer_generation="generation-1",
        handoff_at_ns=bench.clock.now().wall_ns,
    )
    bench.store.transact(lambda tx: tx.update_message(marked), wait_seconds=0)


def test_a_pause_of_a_thousand_messages_is_paid_in_parts(bench: Bench) -> None:
    for number in range(300):
        bench.send(ref=f"old-{number}", ttl_ns=10 * SECOND_NS, kind=MessageKind.AUTOMATION)
    bench.clock.advance(3600)
    bench.send(ref="one")
    ended = list(bench.store.view(lambda tx: tx.ended(after_seq=0, limit=999)))
    assert 256 <= len(ended) < 300
    bench.send(ref="two")
    ended = list(bench.store.view(lambda tx: tx.ended(after_seq=0, limit=999)))
    assert len(ended) == 300


def test_a_whole_ref_that_left_is_not_taken_for_the_beginning_of_another(small: Bench) -> None:
    refs = [expire(small, ref=f"build-{number}") for number in (1, 2, 3, 4)]
    small.send(ref="build-10")
    past = small.office.past(refs[0])
    assert past is not None
    assert (past.ref, past.state, past.reason) == ("build-1", "expired", "deadline-expired")
    with pytest.raises(NotFound, match="build-1 has left the store"):
        small.office.view("build-1")
    assert small.office.past("build-10") is None
    assert small.office.past("build-2") is None


def test_a_message_that_left_is_found_by_its_beginning_too(small: Bench) -> None:
    for number in (1, 2, 3, 4):
        expire(small, ref=f"{number}-build")
    expire(small, ref="1-bundle")
    expire(small, ref="5-build")
    past = small.office.past("1-bui")
    assert past is not None
    assert past.ref == "1-build"
    assert small.office.past("1-bu") is None
    assert small.office.past("9-build") is None
