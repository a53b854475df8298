"""The one parser of consent marks, and what two files mean together (D7)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.owners import World
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.consent.mark import (
    ConsentMark,
    MarkState,
    MarkWrong,
    NoMark,
    parse_mark,
    resolve,
)
from tidings.domain.consent.scope import EVERYTHING, ConsentScope
from tidings.ports.codec import Document
from tidings.ports.consent import MarkFact, MarkMissing, MarkPair, MarkRead, MarkUnreadable

OWNER = World().owner(with_socket=True)
MARK = ConsentMark(
    state=MarkState.ON,
    scope=ConsentScope(senders=("agent:u1",), kinds=("message",), until_ns=99),
    generation=3,
    owner=OWNER,
    booted=True,
    cwd="/work",
    started_at_ns=7,
)
WAKING = ConsentScope(wake=True)
BARE = replace(MARK, scope=EVERYTHING, booted=False, cwd="", owner=World().owner())


@pytest.mark.parametrize(
    "mark", [MARK, BARE, *(replace(MARK, scope=one) for one in (ConsentScope(senders=()), WAKING))]
)
def test_a_mark_survives_its_file(mark: ConsentMark) -> None:
    codec = JsonCodec()
    assert parse_mark(codec.decode(codec.encode(mark.to_document()))) == mark


CHANGES: list[Document] = [
    {"v": 2},
    {"v": "1"},
    {"state": "ON"},
    {"state": ""},
    {"state": True},
    {"generation": 0},
    {"generation": -1},
    {"generation": 2**64},
    {"started_at_ns": 10**4000},
    {"generation": True},
    {"generation": 1.0},
    {"owner": {}},
    {"owner": []},
    {"booted": 1},
    {"cwd": None},
    {"started_at_ns": 0},
    {"scope": []},
    {"scope": {"wake": 1}},
    {"scope": {"wake": "yes"}},
    {"scope": {"from": "agent:u1"}},
    {"scope": {"from": [1]}},
    {"scope": {"kind": None}},
    {"scope": {"until_ns": 0}},
    {"scope": {"until_ns": "9"}},
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_mark_that_breaks_a_rule_is_wrong_as_a_whole(change: Document) -> None:
    assert isinstance(parse_mark({**MARK.to_document(), **change}), MarkWrong)


@pytest.mark.parametrize("name", ["v", "state", "generation", "owner", "started_at_ns"])
def test_a_mark_without_a_needed_field_is_wrong(name: str) -> None:
    document = MARK.to_document()
    del document[name]
    assert isinstance(parse_mark(document), MarkWrong)


def read(mark: ConsentMark | None) -> MarkFact:
    return MarkMissing() if mark is None else MarkRead(document=mark.to_document())


def pair(main: ConsentMark | None, off: ConsentMark | None) -> MarkPair:
    return MarkPair(main=read(main), off=read(off))


def at(state: MarkState, generation: int) -> ConsentMark:
    return replace(BARE, state=state, generation=generation)


KEY = BARE.owner.key


def test_no_file_is_no_mark() -> None:
    assert resolve(KEY, pair(None, None)) == NoMark()


@pytest.mark.parametrize("state", list(MarkState))
def test_the_higher_generation_counts_and_off_wins_a_tie(state: MarkState) -> None:
    off = at(MarkState.OFF, 5)
    assert resolve(KEY, pair(at(state, 6), off)) == at(state, 6)
    assert resolve(KEY, pair(at(state, 4), off)) == off
    tied = resolve(KEY, pair(at(state, 5), off))
    assert isinstance(tied, ConsentMark)
    assert tied.state is MarkState.OFF


def test_either_file_alone_counts() -> None:
    assert resolve(KEY, pair(BARE, None)) == BARE
    off = at(MarkState.OFF, 1)
    assert resolve(KEY, pair(None, off)) == off


@pytest.mark.parametrize("state", [MarkState.ON, MarkState.NONE])
def test_the_emergency_file_can_only_say_off(state: MarkState) -> None:
    assert isinstance(resolve(KEY, pair(BARE, at(state, 9))), MarkWrong)


def test_one_unreadable_file_makes_the_whole_wrong() -> None:
    broken = MarkUnreadable(why="no permission")
    for found in (
        MarkPair(main=broken, off=read(at(MarkState.OFF, 9))),
        MarkPair(main=read(BARE), off=broken),
    ):
        assert resolve(KEY, found) == MarkWrong(why="no permission")


def test_a_session_honours_only_its_own_mark() -> None:
    stranger = World().owner(with_socket=True).key
    other = resolve("7-0123abcd", pair(MARK, None))
    assert stranger != "7-0123abcd"
    assert isinstance(other, MarkWrong)
    assert "another session" in other.why


generations = st.integers(1, 4)
mains = st.none() | st.builds(at, st.sampled_from(list(MarkState)), generations)
offs = st.none() | st.builds(at, st.just(MarkState.OFF), generations)


@settings(max_examples=100)
@given(main=mains, off=offs)
def test_an_on_never_counts_beside_an_off_as_high(
    main: ConsentMark | None, off: ConsentMark | None
) -> None:
    mark = resolve(KEY, pair(main, off))
    if isinstance(mark, ConsentMark) and mark.state is MarkState.ON and off is not None:
        assert mark.generation > off.generation
