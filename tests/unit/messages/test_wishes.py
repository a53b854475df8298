"""What a sender may ask for: when, and in place of what (D20)."""

from dataclasses import replace

import pytest

from support.golden import matches_golden
from support.post import DIALOG, Bench
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.interaction.freedom import Free, Freedom
from tidings.domain.messages.envelope import fault_of, same_retry
from tidings.domain.messages.envelope_document import parse_envelope, to_document
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outcomes import Delivered, Held
from tidings.domain.messages.reply_box import box_of
from tidings.domain.messages.send_outcome import Refused
from tidings.domain.messages.wishes import NO_WISHES, When, Wishes, is_supersede_key
from tidings.entrypoints.testing.message_rows import envelope
from tidings.ports.codec import Document
from tidings.ports.errors import StoreMalformed
from tidings.ports.tokens import Provider

REF = "m" + "0" * 28
BOX = box_of("0" * 32)
SCRIPT = envelope(REF, kind=MessageKind.AUTOMATION)
NOTICE = envelope(REF, kind=MessageKind.NOTICE)
FULL = Wishes(when=When.IDLE, supersede_key="pr-412", retry_of="m-before")
BUSY = Free(idle=False)
IDLE = Free(idle=True)
UNKNOWN = Free(idle=None)


def test_an_envelope_with_wishes_survives_its_document() -> None:
    for whole in (
        replace(envelope(REF), wishes=replace(FULL, awaited_by="42 1000 linux:boot:7")),
        replace(SCRIPT, wishes=replace(FULL, reply_box=BOX)),
        replace(NOTICE, wishes=Wishes(wake=True, supersede_key="pr-412")),
    ):
        assert fault_of(whole) is None
        assert parse_envelope(to_document(whole)) == whole


def test_the_bytes_of_wishes_are_golden_and_none_leaves_the_envelope_as_it_was() -> None:
    codec = JsonCodec()
    asked = replace(SCRIPT, wishes=replace(FULL, reply_box=BOX))
    waking = replace(NOTICE, wishes=Wishes(wake=True))
    lines = [codec.encode(to_document(one)) for one in (asked, waking)]
    assert matches_golden("wishes.jsonl", b"\n".join(lines) + b"\n")
    assert set(to_document(asked)) - set(to_document(SCRIPT)) == {
        *("when", "supersedeKey", "retryOf", "replyBox")
    }
    assert set(to_document(waking)) - set(to_document(NOTICE)) == {"wake"}


@pytest.mark.parametrize(
    "extra",
    [
        {"when": "now"},
        {"when": ""},
        {"when": "tomorrow"},
        {"supersedeKey": ""},
        {"supersedeKey": "a b"},
        {"retryOf": " x"},
        {"replyBox": "box-x"},
        {"awaitedBy": "42 1000 linux:boot:7"},
        {"wake": True},
    ],
)
def test_wishes_are_read_strictly(extra: Document) -> None:
    with pytest.raises(StoreMalformed):
        parse_envelope({**to_document(SCRIPT), **extra})


@pytest.mark.parametrize("extra", [{"wake": False}, {"wake": "yes"}, {"when": "idle"}])
def test_a_notice_has_no_moment_of_its_own_and_says_plainly_that_it_wakes(extra: Document) -> None:
    with pytest.raises(StoreMalformed):
        parse_envelope({**to_document(NOTICE), **extra})


@pytest.mark.parametrize("kind", list(MessageKind))
def test_only_a_notice_asks_to_wake(kind: MessageKind) -> None:
    fault = fault_of(replace(envelope(REF, kind=kind), wishes=Wishes(wake=True)))
    assert (fault is None) is (kind is MessageKind.NOTICE)
    assert fault is None or fault.detail == "wake"


def test_to_wake_is_part_of_what_is_sent_again() -> None:
    assert not same_retry(NOTICE, replace(NOTICE, wishes=Wishes(wake=True)))


@pytest.mark.parametrize("kind", list(MessageKind))
def test_only_a_push_and_a_script_have_a_reply_box(kind: MessageKind) -> None:
    boxed = replace(envelope(REF, kind=kind), wishes=Wishes(reply_box=BOX))
    may_have = kind in (MessageKind.PUSH, MessageKind.AUTOMATION)
    fault = fault_of(boxed)
    assert (fault is None) is may_have
    assert fault is None or (fault.token, fault.detail) == (
        "envelope-qualification-invalid",
        "replyBox",
    )


def test_moment_and_key_belong_to_a_message_box_and_origin_of_a_retry_do_not() -> None:
    whole = replace(SCRIPT, wishes=replace(FULL, reply_box=BOX))
    for other in (replace(FULL, when=When.NOW), replace(FULL, supersede_key="pr-413")):
        assert not same_retry(whole, replace(SCRIPT, wishes=other))
    assert same_retry(whole, replace(SCRIPT, wishes=replace(FULL, retry_of="", reply_box="")))


@pytest.mark.parametrize(
    ("key", "good"),
    [
        ("pr-412", True),
        ("a" * 64, True),
        ("a" * 65, False),
        ("", False),
        ("-x", False),
        ("é", False),
    ],
)
def test_a_key_is_plain_and_short(key: str, good: bool) -> None:
    assert is_supersede_key(key) is good


@pytest.mark.parametrize("when", [When.TURN_END, When.IDLE])
@pytest.mark.parametrize("freedom", [BUSY, UNKNOWN])
def test_while_a_turn_runs_or_may_run_a_message_for_later_is_held(
    when: When, freedom: Freedom
) -> None:
    bench = Bench()
    bench.freedom.now = freedom
    ref = bench.send(wishes=Wishes(when=when)).ref
    assert bench.dispatcher.step(bench.post) == Held(ref=ref, reason="when")
    assert bench.state(ref) == ("held", "when")
    assert bench.transport.written == []


def test_at_the_end_of_the_turn_it_goes_out_at_once() -> None:
    bench = Bench()
    ref = bench.send(wishes=Wishes(when=When.TURN_END)).ref
    bench.freedom.now = IDLE
    assert bench.dispatcher.step(bench.post) == Delivered(ref=ref)


def test_for_an_idle_session_it_goes_out_after_half_a_minute_without_a_turn() -> None:
    bench = Bench()
    ref = bench.send(wishes=Wishes(when=When.IDLE)).ref
    bench.freedom.now = IDLE
    assert bench.dispatcher.step(bench.post) == Held(ref=ref, reason="when")
    bench.clock.advance(29)
    assert bench.dispatcher.step(bench.post) == Held(ref=ref, reason="when")
    bench.freedom.now = BUSY
    bench.clock.advance(5)
    assert bench.dispatcher.step(bench.post) == Held(ref=ref, reason="when")
    bench.freedom.now = IDLE
    assert bench.dispatcher.step(bench.post) == Held(ref=ref, reason="when")
    bench.clock.advance(30)
    assert bench.dispatcher.step(bench.post) == Delivered(ref=ref)


def test_a_dialog_is_the_reason_even_where_the_moment_is_wrong_too() -> None:
    bench = Bench()
    bench.freedom.now = DIALOG
    ref = bench.send(wishes=Wishes(when=When.IDLE)).ref
    assert bench.dispatcher.step(bench.post) == Held(ref=ref, reason="target-awaiting-operator")


def test_nothing_overtakes_a_message_for_later() -> None:
    bench = Bench()
    bench.freedom.now = BUSY
    first = bench.send("later", wishes=Wishes(when=When.TURN_END)).ref
    second = bench.send("now").ref
    assert bench.dispatcher.step(bench.post) == Held(ref=first, reason="when")
    assert bench.state(second) == ("held", "behind-earlier-message")


def test_who_pulls_gets_a_message_for_later_at_once() -> None:
    bench = Bench()
    mux = bench.run("mux", provider=Provider.PROCESS)
    bench.arm(mux)
    ref = bench.send(target=mux, wishes=Wishes(when=When.IDLE)).ref
    assert bench.inbox.pull(mux.activation_id, lambda frame: None) == Delivered(ref=ref)


def test_a_newer_message_takes_the_place_of_a_waiting_older_one_with_its_key() -> None:
    bench = Bench()
    wishes = Wishes(supersede_key="pr-412")
    old = bench.send("build 1 failed", wishes=wishes).ref
    new = bench.send("build 2 failed", wishes=wishes).ref
    assert bench.state(old) == ("refused", "superseded-by-newer")
    assert bench.dispatcher.step(bench.post) == Delivered(ref=new)
    assert bench.texts() == ["build 2 failed"]


def test_only_the_same_sender_target_and_key_are_superseded() -> None:
    bench = Bench()
    wishes = Wishes(supersede_key="pr-412")
    other = bench.run("other")
    mux = bench.run("mux", provider=Provider.PROCESS)
    bench.arm(mux)
    kept = [
        bench.send("another sender", kind=MessageKind.AUTOMATION, wishes=wishes).ref,
        bench.send("another target", target=mux, wishes=wishes).ref,
        bench.send("another key", wishes=Wishes(supersede_key="pr-41")).ref,
        bench.send("no key").ref,
    ]
    assert not isinstance(bench.office.send(bench.draft(source=other, wishes=wishes)), Refused)
    bench.send("the newest", wishes=wishes)
    assert {bench.row(ref).state for ref in kept} <= {"accepted", "held"}


def test_what_was_written_already_is_not_superseded() -> None:
    bench = Bench()
    wishes = Wishes(supersede_key="pr-412")
    old = bench.send("build 1 failed", wishes=wishes).ref
    assert bench.dispatcher.step(bench.post) == Delivered(ref=old)
    bench.send("build 2 failed", wishes=wishes)
    assert bench.state(old)[0] == "delivered"


def test_a_refused_or_repeated_message_supersedes_nothing() -> None:
    bench = Bench()
    wishes = Wishes(supersede_key="pr-412")
    first = bench.send("build 1 failed", ref="one", wishes=wishes).ref
    assert bench.send("build 1 failed", ref="one", wishes=wishes).replayed
    assert bench.row(first).state == "accepted"
    bench.disarm(bench.api)
    again = bench.office.send(bench.draft("build 2 failed", wishes=wishes))
    assert isinstance(again, Refused)
    assert bench.row(first).state == "accepted"


def test_an_envelope_without_wishes_has_none() -> None:
    assert parse_envelope(to_document(SCRIPT)).wishes == NO_WISHES
