"""The reducer against a reference model (M 2.2, M45)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tidings.domain.messages.delivery import (
    Delivery,
    DeliveryEvent,
    Happening,
    State,
    reduce_delivery,
)
from tidings.domain.messages.record import advance
from tidings.entrypoints.testing.message_rows import (
    NOON_NS,
    activation,
    envelope,
    marked,
    message,
)

REF = "m" + "0" * 28
FULL = envelope(REF)
ENDS = {
    Happening.DELIVER: State.DELIVERED,
    Happening.REFUSE: State.REFUSED,
    Happening.EXPIRE: State.EXPIRED,
    Happening.STALE: State.STALE,
    Happening.FAIL: State.FAILED,
}


def event(kind: Happening, reason: str = "why", *, at_ns: int = NOON_NS) -> DeliveryEvent:
    return DeliveryEvent(
        kind=kind,
        message_ref=REF,
        conversation_ref=FULL.conversation_ref,
        target=FULL.target,
        reason=reason,
        observed_at_ns=at_ns,
        outcome_unknown=True,
    )


def step(current: Delivery | None, *events: DeliveryEvent) -> Delivery | None:
    for one in events:
        current = reduce_delivery(FULL, current, one)
    return current


def accepted() -> Delivery:
    first = step(None, event(Happening.ACCEPT))
    assert first is not None
    return first


@pytest.mark.case("M36")
def test_a_message_begins_by_being_accepted() -> None:
    for kind in ENDS:
        assert step(None, event(kind)) is None
    assert step(None, event(Happening.HOLD)) is None
    assert accepted().state is State.ACCEPTED
    assert accepted().reason == ""


@pytest.mark.case("M37")
def test_a_hold_on_a_held_message_replaces_its_reason_only() -> None:
    held = step(accepted(), event(Happening.HOLD, "pacing"))
    again = step(held, event(Happening.HOLD, "target-not-ready"))
    assert held is not None
    assert held.state is State.HELD
    assert again == replace(held, reason="target-not-ready")
    assert step(again, event(Happening.HOLD, "target-not-ready")) is again


@pytest.mark.case("M39")
@pytest.mark.parametrize("end", list(ENDS))
def test_an_end_is_final(end: Happening) -> None:
    ended = step(accepted(), event(end))
    assert ended is not None
    assert ended.state is ENDS[end]
    assert ended.terminal_at_ns == NOON_NS
    for kind in Happening:
        assert step(ended, event(kind, at_ns=NOON_NS + 5)) is ended


@pytest.mark.case("M40", "M41", "M42")
@pytest.mark.parametrize(
    "foreign",
    [
        replace(event(Happening.DELIVER), message_ref="other"),
        replace(event(Happening.DELIVER), conversation_ref="other"),
        replace(event(Happening.DELIVER), target=envelope(REF, target=activation("x", 3)).target),
        event(Happening.DELIVER, at_ns=NOON_NS - 1),
    ],
)
def test_events_of_something_else_change_nothing(foreign: DeliveryEvent) -> None:
    before = accepted()
    assert reduce_delivery(FULL, before, foreign) is before
    other = replace(before, message_ref="other")
    assert reduce_delivery(FULL, other, event(Happening.DELIVER)) is other
    broken = replace(FULL, payload="")
    assert reduce_delivery(broken, before, event(Happening.DELIVER)) is before


@pytest.mark.case("M44")
def test_reasons_are_never_empty_and_at_most_160_bytes() -> None:
    blank = step(accepted(), event(Happening.FAIL, "  "))
    long = step(accepted(), event(Happening.FAIL, "é" * 79 + "€" * 40))
    assert blank is not None
    assert blank.reason == "unspecified"
    assert long is not None
    assert long.reason == "é" * 79
    assert len(long.reason.encode()) == 158


class Model:
    """The rules once more, as a table of words."""

    def __init__(self) -> None:
        self.state = "none"
        self.reason = ""
        self.unknown = False

    def apply(self, kind: Happening, reason: str, *, unknown: bool) -> None:
        if self.state == "none":
            self.state = "accepted" if kind is Happening.ACCEPT else "none"
        elif self.state in ("accepted", "held") and kind is not Happening.ACCEPT:
            self.state = "held" if kind is Happening.HOLD else str(ENDS[kind])
            self.reason = reason
            self.unknown = unknown and kind is Happening.FAIL


@pytest.mark.case("M45")
@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from(Happening), st.sampled_from(["a", "b"]), st.booleans()),
        max_size=8,
    )
)
def test_random_events_agree_with_the_model(events: list[tuple[Happening, str, bool]]) -> None:
    model, current = Model(), None
    for kind, reason, unknown in events:
        model.apply(kind, reason, unknown=unknown)
        current = step(current, replace(event(kind, reason), outcome_unknown=unknown))
        if current is None:
            assert model.state == "none"
            continue
        seen = (str(current.state), current.reason, current.outcome_unknown)
        assert seen == (model.state, model.reason, model.unknown)
        ended = current.state in ENDS.values()
        assert (current.terminal_at_ns is not None) == ended


@pytest.mark.parametrize("end", [Happening.EXPIRE, Happening.STALE, Happening.REFUSE])
def test_after_the_mark_an_end_is_an_uncertain_failure(end: Happening) -> None:
    after = advance(marked(REF), end, "whatever", at_ns=NOON_NS + 9)
    assert (after.state, after.outcome_unknown) == ("failed", True)
    assert after.reason == "provider-handoff-outcome-unknown"
    plain = advance(message(REF), end, "whatever", at_ns=NOON_NS + 9)
    assert (plain.state, plain.outcome_unknown) == (str(ENDS[end]), False)


def test_an_end_is_never_recorded_before_the_acceptance() -> None:
    after = advance(message(REF), Happening.EXPIRE, "deadline-expired", at_ns=NOON_NS - 7)
    assert after.terminal_at_ns == NOON_NS
