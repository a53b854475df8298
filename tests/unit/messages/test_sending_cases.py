"""Sending, step by step: what is durable when, what nobody is called, what no size depends on (M 3)."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from support.post import Bench, endpoint_of
from tidings.adapters.memory.doorbell import MemoryDoorbell
from tidings.adapters.memory.messages import MemoryMessageStore
from tidings.adapters.wire.harness_frames import Frame, build_frame
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.messages.frame import frame_of
from tidings.domain.messages.frame_text import frame_content
from tidings.domain.messages.handoff import put_outcome
from tidings.domain.messages.inbox import SELF_CLAIM
from tidings.domain.messages.outcomes import Delivered, LeaseLost
from tidings.domain.messages.post_office import LONGEST_ANSWER_ADDRESS
from tidings.ports.agents import RegistrationRow
from tidings.ports.messages import StoreTransaction
from tidings.ports.tokens import Provider, Ring

T = TypeVar("T")
WEEK_SECONDS = 8 * 86_400


class CountingStore(MemoryMessageStore):
    """Counts its transactions."""

    def __init__(self) -> None:
        super().__init__()
        self.transactions = 0

    def transact(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float) -> T:
        self.transactions += 1
        return super().transact(work, wait_seconds=wait_seconds)


class WatchedBell(MemoryDoorbell):
    """Looks around at the moment of each ring."""

    def __init__(self, look: Callable[[], None]) -> None:
        super().__init__()
        self._look = look

    def ring(self, key: str, *, why: Ring = Ring.LETTER) -> bool:
        self._look()
        return super().ring(key, why=why)


@pytest.mark.case("M104")
def test_a_message_is_durable_before_the_bell_and_a_sender_never_writes_to_a_harness() -> None:
    at_the_bell: list[tuple[str, int]] = []

    def look() -> None:
        at_the_bell.append((bench.row("build-1").state, bench.transport.writes_begun))

    bench = Bench(bells=WatchedBell(look))
    receipt = bench.send(ref="build-1")
    assert at_the_bell == [("accepted", 0)]
    assert (receipt.state, bench.transport.writes_begun) == ("accepted", 0)


@pytest.mark.case("M104")
def test_a_target_that_is_gone_leaves_nothing_behind_and_rings_nobody() -> None:
    rings: list[str] = []
    bench = Bench(bells=WatchedBell(lambda: rings.append("rang")))
    bench.put(replace(bench.api, ended_at_ns=1, end_reason="gone"))
    outcome = bench.office.send(bench.draft(ref="build-1"))
    assert getattr(outcome, "reason", "") == "target-not-running"
    assert bench.store.view(lambda tx: tx.message("build-1")) is None
    assert rings == []


@pytest.mark.case("M102", "M106")
@pytest.mark.parametrize("provider", list(Provider))
def test_no_provider_is_unsupported_and_none_that_is_not_ready_is_called_ineligible(
    provider: Provider,
) -> None:
    bench = Bench()
    target = bench.run("target", provider=provider)
    bench.arm(target)
    receipt = bench.send(target=target)
    expected = "awaiting-pull" if provider is Provider.PROCESS else "target-not-ready"
    assert (receipt.state, receipt.reason, receipt.exit_code) == ("held", expected, 0)
    assert "do not resend" in receipt.next_step
    assert "eligible" not in receipt.text
    pulled: list[object] = []
    assert bench.inbox.pull(target.activation_id, pulled.append) == Delivered(ref=receipt.ref)


@pytest.mark.case("M106")
@pytest.mark.parametrize("state", ["starting", "silent"])
def test_a_target_that_is_starting_or_silent_is_not_ready_yet(state: str) -> None:
    bench = Bench()
    target = bench.run("target")
    bench.arm(target)
    lease = RegistrationRow(
        activation_id=target.activation_id,
        generation="generation-2",
        conversation_id=target.conversation_id,
        resident=bench.kernel.spawn(),
        ready=state == "silent",
        client_version="",
        claimed_at_ns=1,
    )
    bench.store.transact(lambda tx: tx.put_registration(lease), wait_seconds=0)
    receipt = bench.send(target=target)
    assert (receipt.state, receipt.reason) == ("held", "target-not-ready")


@pytest.mark.case("M114")
@pytest.mark.parametrize("provider", list(Provider))
def test_a_long_text_goes_whole_to_who_pulls_and_as_its_head_into_a_frame(
    provider: Provider,
) -> None:
    bench = Bench()
    mux = bench.run("mux", provider=provider)
    bench.arm(mux)
    text = "x" * 65_536
    whole, head = bench.send(text, target=mux), bench.send(text)
    assert head.whole is False
    assert bench.dispatcher.step(bench.post) == Delivered(ref=head.ref)
    (frame,) = bench.transport.written
    assert bench.transport.size(frame.content) <= bench.transport.limit()
    assert f"tidings show {head.ref}" in frame.content
    pulled: list[str] = []
    bench.inbox.pull(mux.activation_id, lambda frame: pulled.append(frame.shown))
    assert (whole.state, pulled) == ("held", [text])


def sized(bench: Bench, text: str, address: str) -> int:
    envelope = bench.office.view(bench.send(text).ref).envelope
    return bench.transport.size(frame_content(frame_of(envelope, answer_address=address)))


@pytest.mark.case("M115", "M116")
def test_the_size_assumes_the_longest_answer_address_and_nothing_of_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench()
    limit = bench.transport.limit()
    room = limit - sized(bench, "x", LONGEST_ANSWER_ADDRESS) + 1
    just, over = "x" * room, "x" * (room + 1)
    for path in ("", "/a/very/long/place" * 20):
        monkeypatch.setenv("PATH", path)
        monkeypatch.setattr("sys.executable", path)
        monkeypatch.setenv("CLAUDE_CODE_MESSAGING_TOKEN", "t" * 4000)
        assert bench.send(just).whole
        assert not bench.send(over).whole
    assert sized(bench, over, "uds:/s") < limit, "with a shorter address it would have fitted"


@pytest.mark.case("M116")
@pytest.mark.parametrize(("token_bytes", "difference"), [(47, -1), (48, 0), (49, 1)])
def test_the_size_counts_a_token_of_48_bytes_whatever_the_real_one_is(
    token_bytes: int, difference: int
) -> None:
    bench = Bench()
    content = frame_content(
        frame_of(bench.office.view(bench.send().ref).envelope, answer_address="")
    )
    endpoint = replace(endpoint_of(bench.post), session_id="s" * 36, token="t" * token_bytes)
    built = build_frame(JsonCodec(), endpoint, content, limit_bytes=8192)
    assert isinstance(built, Frame)
    assert len(built.data) == bench.transport.size(content) + difference


@pytest.mark.case("M126")
@pytest.mark.parametrize("again", [False, True])
def test_a_run_that_ended_and_a_newer_run_leave_the_message_stale(again: bool) -> None:
    bench = Bench()
    ref = bench.send().ref
    bench.put(replace(bench.api, ended_at_ns=1, end_reason="gone"))
    if again:
        newer = replace(bench.api, activation_id="activation-new", started_at_ns=10**19)
        bench.put(newer)
    assert bench.office.settle_due(bench.api.agent_uid) == (ref,)
    assert bench.state(ref) == ("stale", "target-activation-stale")


@pytest.mark.case("M127")
def test_what_was_delivered_stays_delivered_after_its_deadline() -> None:
    bench = Bench()
    ref = bench.send().ref
    assert bench.dispatcher.step(bench.post) == Delivered(ref=ref)
    bench.clock.advance(WEEK_SECONDS)
    assert bench.office.view(ref).state == "delivered"
    assert bench.office.settle_due(bench.api.agent_uid) == ()
    assert bench.state(ref) == ("delivered", "provider-pipe-full-frame")


@pytest.mark.case("M52")
@pytest.mark.parametrize("provider", list(Provider))
def test_every_provider_and_transport_sets_a_hand_off_mark_before_anything_leaves(
    provider: Provider,
) -> None:
    bench = Bench()
    target = bench.run("target", provider=provider)
    bench.arm(target)
    ref = bench.send(target=target).ref
    at_hand_over: list[tuple[str | None, bool]] = []

    def look(_frame: object) -> None:
        row = bench.row(ref)
        at_hand_over.append((row.transport, row.handoff_at_ns is not None))

    bench.inbox.pull(target.activation_id, look)
    assert at_hand_over == [("inbox", True)]


@pytest.mark.case("M70")
def test_mark_and_outcome_are_one_transaction_each() -> None:
    store = CountingStore()
    bench = Bench(store=store)
    ref = bench.send().ref
    counted: list[int] = []
    bench.transport.before_write = lambda: counted.append(store.transactions)
    before = store.transactions
    assert bench.dispatcher.step(bench.post) == Delivered(ref=ref)
    judged_and_marked = counted[0] - before
    assert (judged_and_marked, store.transactions - counted[0]) == (2, 1)


@pytest.mark.case("M71")
def test_an_outcome_for_a_message_that_is_missing_or_over_writes_nothing() -> None:
    bench = Bench()
    ref = bench.send().ref
    bench.dispatcher.step(bench.post)
    before = bench.row(ref)
    events = bench.store.view(lambda tx: tuple(tx.events(ref)))
    now = bench.clock.now()

    def outcome(of: str) -> object:
        return bench.store.transact(lambda tx: put_outcome(tx, of, SELF_CLAIM, now), wait_seconds=0)

    assert outcome("mnowhere") == LeaseLost()
    outcome(ref)
    assert bench.row(ref) == before
    assert bench.store.view(lambda tx: tuple(tx.events(ref))) == events
    assert bench.store.view(lambda tx: tx.message("mnowhere")) is None


@pytest.mark.case("SX12")
def test_a_separator_is_kept_in_the_store_and_is_a_line_of_its_own_in_a_frame() -> None:
    bench = Bench()
    text = "one\x1c| api: two\x1d\x1ethree"
    ref = bench.send(text).ref
    assert bench.office.view(ref).envelope.payload == text
    assert bench.dispatcher.step(bench.post) == Delivered(ref=ref)
    (frame,) = bench.transport.written
    body = [line for line in frame.content.split("\n") if line.startswith("| ")]
    assert [line for line in body if "tidings" not in line] == [
        "| one",
        "| | api: two",
        "| ",
        "| three",
    ]
    assert "\x1c" not in frame.content
