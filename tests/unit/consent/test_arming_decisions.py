"""The state of consent and the two decisions on it: S 5.2 and D6 as tables."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.owners import World
from tidings.adapters.memory.clock import ManualClock
from tidings.domain.consent.arming import (
    ArmState,
    ArmWord,
    ConsentReason,
    ConsentRequest,
    Denied,
    Granted,
    arm_state,
    decide_answer_consent,
    decide_consent,
)
from tidings.domain.consent.change import FIRST_GENERATION
from tidings.domain.consent.mark import ConsentMark, MarkState, MarkWrong, NoMark, ParsedMark
from tidings.domain.consent.scope import EVERYTHING, ConsentScope
from tidings.domain.identity.owner import OwnerLiveness, Signal, combine
from tidings.ports.clock import Instant
from tidings.ports.tokens import Verdict

ALIVE, DEAD, UNKNOWN = Verdict.ALIVE, Verdict.DEAD, Verdict.UNKNOWN
NOW_NS = 1_000
MARK = ConsentMark(
    state=MarkState.ON,
    scope=EVERYTHING,
    generation=3,
    owner=World().owner(),
    booted=False,
    cwd="/work",
    started_at_ns=1,
)
OFF = replace(MARK, state=MarkState.OFF)
RESET = replace(MARK, state=MarkState.NONE)
REQUEST = ConsentRequest(sender_agent="u1", sender_address="front", kind="message")


def owner(process: Verdict, socket: Verdict | None = None) -> OwnerLiveness:
    """The liveness of an owner with these signals."""
    signals = [Signal(name="process", verdict=process, evidence="")]
    if socket is not None:
        signals.append(Signal(name="socket", verdict=socket, evidence=""))
    return OwnerLiveness(verdict=combine(*(s.verdict for s in signals)), signals=tuple(signals))


STATES: list[tuple[ParsedMark, OwnerLiveness | None, ArmWord]] = [
    (NoMark(), None, ArmWord.NONE),
    (MarkWrong(why="no JSON"), None, ArmWord.ERROR),
    (MARK, owner(ALIVE), ArmWord.ARMED),
    (MARK, owner(ALIVE, ALIVE), ArmWord.ARMED),
    (MARK, owner(ALIVE, DEAD), ArmWord.NONE),
    (MARK, owner(ALIVE, UNKNOWN), ArmWord.UNVERIFIABLE),
    (MARK, owner(DEAD), ArmWord.NONE),
    (MARK, owner(UNKNOWN), ArmWord.UNVERIFIABLE),
    (MARK, owner(UNKNOWN, DEAD), ArmWord.NONE),
    (MARK, None, ArmWord.UNVERIFIABLE),
    (OFF, owner(ALIVE), ArmWord.DISARMED),
    (OFF, owner(ALIVE, DEAD), ArmWord.DISARMED),
    (OFF, owner(ALIVE, UNKNOWN), ArmWord.DISARMED),
    (OFF, owner(DEAD), ArmWord.NONE),
    (OFF, owner(UNKNOWN), ArmWord.UNVERIFIABLE),
    (OFF, owner(UNKNOWN, DEAD), ArmWord.UNVERIFIABLE),
    (OFF, None, ArmWord.UNVERIFIABLE),
    (RESET, owner(ALIVE), ArmWord.NONE),
    (RESET, owner(UNKNOWN), ArmWord.NONE),
]


def at(wall_ns: int) -> Instant:
    return ManualClock(wall_ns=wall_ns).now()


@pytest.mark.parametrize(("mark", "liveness", "word"), STATES)
def test_the_state_of_a_mark(
    mark: ParsedMark, liveness: OwnerLiveness | None, word: ArmWord
) -> None:
    state = arm_state(mark, liveness, now=at(NOW_NS))
    assert state.word is word
    assert state.why
    expected = {ConsentMark: 3, NoMark: FIRST_GENERATION, MarkWrong: 0}
    assert state.generation == expected[type(mark)]


@pytest.mark.parametrize(
    ("word", "message", "answer"),
    [
        (ArmWord.ARMED, None, None),
        (ArmWord.NONE, ConsentReason.NOT_ARMED, None),
        (ArmWord.DISARMED, ConsentReason.NOT_ARMED, ConsentReason.NOT_ARMED),
        (ArmWord.ERROR, ConsentReason.UNREADABLE, ConsentReason.UNREADABLE),
        (ArmWord.UNVERIFIABLE, ConsentReason.UNREADABLE, ConsentReason.UNREADABLE),
    ],
)
def test_who_is_heard_in_which_state(
    word: ArmWord, message: ConsentReason | None, answer: ConsentReason | None
) -> None:
    state = ArmState(word=word, scope=EVERYTHING, generation=3, why="so it is")
    for outcome, reason in (
        (decide_consent(state, REQUEST, now_ns=NOW_NS), message),
        (decide_answer_consent(state), answer),
    ):
        if reason is None:
            assert outcome == Granted(generation=3)
        else:
            assert isinstance(outcome, Denied)
            assert outcome.reason is reason
            assert "so it is" in outcome.text


SCOPES = [
    (EVERYTHING, True),
    (ConsentScope(senders=("agent:u1",)), True),
    (ConsentScope(senders=("front",)), True),
    (ConsentScope(senders=("u1",)), False),
    (ConsentScope(senders=("agent:u2", "api")), False),
    (ConsentScope(senders=()), False),
    (ConsentScope(kinds=("message",)), True),
    (ConsentScope(kinds=("push",)), False),
    (ConsentScope(kinds=()), False),
    (ConsentScope(senders=("front",), kinds=("push",)), False),
    (ConsentScope(until_ns=NOW_NS + 1), True),
    (ConsentScope(until_ns=NOW_NS), False),
]


@pytest.mark.parametrize(("scope", "is_heard"), SCOPES)
def test_a_scope_narrows_a_grant(scope: ConsentScope, is_heard: bool) -> None:
    state = ArmState(word=ArmWord.ARMED, scope=scope, generation=3, why="")
    outcome = decide_consent(state, REQUEST, now_ns=NOW_NS)
    assert isinstance(outcome, Granted) is is_heard


@pytest.mark.parametrize("word", list(ArmWord))
@pytest.mark.parametrize("by_default", [False, True])
def test_a_notice_may_wake_only_where_a_living_on_says_so(word: ArmWord, by_default: bool) -> None:
    said = ArmState(
        word=word, scope=ConsentScope(wake=True), generation=3, why="", by_default=by_default
    )
    assert said.may_be_woken is (word is ArmWord.ARMED)
    assert not replace(said, scope=EVERYTHING).may_be_woken


def test_a_sender_without_a_name_is_in_no_list() -> None:
    state = ArmState(
        word=ArmWord.ARMED, scope=ConsentScope(senders=("", "agent:None")), generation=1, why=""
    )
    nameless = ConsentRequest(sender_agent=None, sender_address="", kind="push")
    assert isinstance(decide_consent(state, nameless, now_ns=0), Denied)


def test_a_grant_whose_time_is_over_is_none() -> None:
    ended = replace(MARK, scope=ConsentScope(until_ns=NOW_NS))
    assert arm_state(ended, owner(ALIVE), now=at(NOW_NS - 1)).word is ArmWord.ARMED
    assert arm_state(ended, owner(ALIVE), now=at(NOW_NS)).word is ArmWord.NONE


verdicts = st.sampled_from(list(Verdict))


@settings(max_examples=100)
@given(
    state=st.sampled_from(list(MarkState)),
    process=verdicts,
    socket=st.none() | verdicts,
    until_ns=st.none() | st.integers(NOW_NS - 2, NOW_NS + 2),
)
def test_only_a_proven_living_on_ever_arms(
    state: MarkState, process: Verdict, socket: Verdict | None, until_ns: int | None
) -> None:
    """Promise P3, over every mark and every owner."""
    mark = replace(MARK, state=state, scope=ConsentScope(until_ns=until_ns))
    word = arm_state(mark, owner(process, socket), now=at(NOW_NS)).word
    is_proven = process is ALIVE and socket in (None, ALIVE)
    in_time = until_ns is None or until_ns > NOW_NS
    assert (word is ArmWord.ARMED) == (state is MarkState.ON and is_proven and in_time)
    if state is MarkState.OFF and process is not DEAD:
        assert word in (ArmWord.DISARMED, ArmWord.UNVERIFIABLE)
