"""What a transcript proves (M 4.5, D24)."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.interaction.dialogs import UNNAMED, Act, DialogKey, Mark
from tidings.domain.interaction.input_digest import digest_input
from tidings.domain.interaction.transcript import proves_closed
from tidings.ports.codec import Document, Value

SECOND = 1_000_000_000
START = datetime(2026, 11, 30, 3, 0, 0, tzinfo=UTC)
START_NS = int(START.timestamp()) * SECOND
GIVEN: Document = {"command": "ls", "description": "list"}


def written(kind: str, second: float, **fields: Value) -> Document:
    at = (START + timedelta(seconds=second)).isoformat(timespec="milliseconds")
    return {"type": kind, "timestamp": at.replace("+00:00", "Z"), **fields}


def turn_end(second: float) -> Document:
    return written("system", second, subtype="turn_duration", durationMs=100)


def used(second: float, tool: str = "Bash", use: str = "u1", given: Value = None) -> Document:
    item: Document = {"type": "tool_use", "id": use, "name": tool, "input": given or GIVEN}
    return written("assistant", second, message={"role": "assistant", "content": [item]})


def answered(second: float, use: str = "u1") -> Document:
    item: Document = {"type": "tool_result", "tool_use_id": use, "is_error": True, "content": "no"}
    return written("user", second, message={"role": "user", "content": [item]})


def opening(
    second: float = 10, *, what: str = "Bash", agent: str = "", act: Act = Act.OPEN
) -> Mark:
    detail = digest_input(GIVEN) if what == "Bash" else ""
    key = DialogKey(agent=agent, what=what, detail=detail)
    return Mark(at_ns=1, act=act, key=key, seen_at_ns=START_NS + int(second * SECOND))


def proves(*lines: Document | bytes, openings: tuple[Mark, ...] = (opening(),)) -> bool:
    data = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return proves_closed(openings, data, JsonCodec())


@pytest.mark.case("R262")
def test_the_turn_must_end_strictly_after_the_newest_opening() -> None:
    assert proves(used(9), turn_end(10.001))
    assert not proves(used(9), turn_end(10))
    assert not proves(used(9), turn_end(9.5))
    assert not proves(turn_end(11), openings=(opening(10), opening(12)))


@pytest.mark.case("M159", "R264")
@pytest.mark.parametrize(
    "lines",
    [
        (),
        (b"",),
        (used(9), b"{broken", turn_end(11)),
        (used(9), b"[1]", turn_end(11)),
        (used(9), turn_end(10)),
        (turn_end(11), used(12)),
        (written("system", 11, subtype="turn_duration") | {"timestamp": "noon"},),
        (written("system", 11, subtype="turn_duration") | {"timestamp": "2026-11-30T03:00:11"},),
        (written("system", 11, subtype="turn_duration") | {"timestamp": None},),
        (written("system", 11, subtype="stop_hook_summary"),),
    ],
)
def test_anything_doubtful_proves_nothing(lines: tuple[Document | bytes, ...]) -> None:
    assert not proves(*lines)


def test_lines_without_a_time_after_a_clear_end_are_harmless() -> None:
    untimed: Document = {"type": "summary", "text": "later"}
    assert proves(used(9), turn_end(11), untimed, b"", {"type": "user", "message": "x"})


@pytest.mark.case("M164")
def test_which_lines_after_an_end_are_a_tool_use() -> None:
    plain = written("assistant", 12, message={"content": "just text"})
    texts = written("assistant", 12, message={"content": [{"type": "text", "text": "x"}]})
    assert proves(turn_end(11), plain)
    assert proves(turn_end(11), texts)
    assert not proves(turn_end(11), b"[1, 2]")
    assert not proves(used(9), json.dumps(turn_end(11)).encode()[:-4])
    messages: list[Value] = [None, {"content": 7}, {"content": ["?"]}, "text"]
    for unreadable in messages:
        assert not proves(turn_end(11), written("assistant", 12, message=unreadable))


def test_the_result_of_the_same_tool_use_proves_the_dialogs_end() -> None:
    """A denial writes no turn_duration, but this line, within milliseconds (H 9)."""
    assert proves(used(9), answered(10.5))
    assert proves(answered(10.5), used(9)) is False
    assert not proves(used(9), answered(10))
    assert not proves(used(9), answered(10.5, use="u2"))
    assert not proves(used(9, given={"command": "rm"}), answered(10.5))
    assert not proves(used(9, tool="Edit"), answered(10.5))
    assert not proves(used(9), answered(10.5) | {"timestamp": None})


def test_a_question_is_known_by_its_tool_alone() -> None:
    asked = opening(what="AskUserQuestion", act=Act.OPEN_ONCE)
    lines = used(9, tool="AskUserQuestion", given={"questions": []}), answered(11)
    assert proves(*lines, openings=(asked,))


def test_every_one_of_equal_dialogs_needs_a_result_of_its_own() -> None:
    twice = (opening(10), opening(10.2))
    one = used(9, use="u1"), used(9, use="u2"), answered(11, use="u1")
    assert not proves(*one, openings=twice)
    assert proves(*one, answered(12, use="u2"), openings=twice)


def test_forms_and_unnamed_dialogs_are_proved_by_the_turns_end_only() -> None:
    form = opening(what="the form of elic")
    unnamed = Mark(at_ns=1, act=Act.OPEN_UNNAMED, key=UNNAMED, seen_at_ns=START_NS)
    for mark in (form, unnamed):
        assert not proves(used(9), answered(11), openings=(mark,))
        assert proves(turn_end(11), openings=(mark,))


def test_a_subagents_dialog_is_proved_by_nothing_here() -> None:
    assert not proves(used(9), answered(11), turn_end(12), openings=(opening(agent="a1"),))
