"""The dialog set and its ordering (D23)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.hook_events import TICK_NS, event, payload, question, tool
from tidings.domain.documents import Fields, FieldWrong
from tidings.domain.interaction.dialogs import (
    MOST_MARKS,
    UNNAMED,
    Act,
    DialogKey,
    DialogSet,
    Mark,
    parse_dialogs,
)
from tidings.domain.interaction.marking import mark_of
from tidings.ports.codec import Document

PERMISSION = tool("PermissionRequest")
NOTICE = payload("Notification", notification_type="permission_prompt")
FORM = payload("Elicitation", mcp_server_name="elic")
OPENINGS = [PERMISSION, question("PreToolUse"), question("PermissionRequest"), FORM, NOTICE]
MAIN_CLOSES = [
    payload("Stop"),
    payload("StopFailure", error="unknown"),
    payload("UserPromptSubmit", prompt="on"),
    payload("SessionEnd", reason="other"),
]


def open_after(*told: tuple[int, Document], client: str = "claude") -> list[str]:
    """What is open after events at their ticks."""
    events = [event(document, tick=tick, client=client) for tick, document in told]
    marks = [mark for mark in map(mark_of, events) if mark]
    return [mark.key.what for mark in DialogSet().with_marks(marks).open]


@pytest.mark.case("R231")
@pytest.mark.parametrize("opening", OPENINGS)
def test_each_opening_opens_one_dialog(opening: Document) -> None:
    assert len(open_after((1, opening))) == 1


@pytest.mark.case("R231")
@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("close", MAIN_CLOSES)
def test_the_turns_and_the_sessions_end_close_whatever_main_asked(
    opening: Document, close: Document
) -> None:
    assert open_after((1, opening), (2, close)) == []


@pytest.mark.case("M136", "R234", "R235")
@pytest.mark.parametrize("name", ["PostToolUse", "PostToolUseFailure", "PermissionDenied"])
def test_a_tools_own_end_closes_its_dialog_and_no_other(name: str) -> None:
    other = tool("PermissionRequest", "rm -r /")
    assert open_after((1, PERMISSION), (1, other), (2, tool(name))) == ["Bash"]
    assert open_after((1, other), (2, tool(name))) == ["Bash"]
    assert open_after((1, PERMISSION), (2, tool(name))) == []
    assert open_after((1, tool(name)), (2, FORM)) == ["the form of elic"]
    assert open_after((2, tool(name))) == []


@pytest.mark.case("R235")
def test_a_forms_result_closes_the_form_of_its_server() -> None:
    result = payload("ElicitationResult", mcp_server_name="elic", action="decline")
    assert open_after((1, FORM), (2, result)) == []
    other = payload("Elicitation", mcp_server_name="other")
    assert open_after((1, FORM), (1, other), (2, result)) == ["the form of other"]


def test_equal_requests_are_counted() -> None:
    again = (2, PERMISSION)
    assert open_after((1, PERMISSION), again, (3, tool("PostToolUse"))) == ["Bash"]
    assert open_after((1, PERMISSION), again, *((3, tool("PostToolUse")),) * 2) == []


def test_a_questions_two_events_are_one_dialog_whatever_its_answer_adds() -> None:
    before, request = question("PreToolUse"), question("PermissionRequest")
    assert open_after((1, before), (2, request)) == ["AskUserQuestion"]
    assert open_after((1, before), (2, request), (3, question("PostToolUse"))) == []


def test_a_notice_opens_only_an_empty_set_and_any_main_close_ends_it() -> None:
    assert open_after((1, PERMISSION), (2, NOTICE)) == ["Bash"]
    assert open_after((1, NOTICE)) == [UNNAMED.what]
    assert open_after((1, NOTICE), (2, tool("PostToolUseFailure", "another"))) == []
    assert open_after((1, NOTICE), (2, tool("PostToolUse", agent_id="a1"))) == [UNNAMED.what]


def test_the_main_turns_end_leaves_a_subagents_dialog_open() -> None:
    """Measured: the main Stop came while a background subagent's dialog was open (H 11)."""
    asked = tool("PermissionRequest", agent_id="a1")
    for close in MAIN_CLOSES[:3]:
        assert open_after((1, asked), (2, close)) == ["Bash"]
    assert open_after((1, asked), (2, payload("SubagentStop", agent_id="a2"))) == ["Bash"]
    assert open_after((1, asked), (2, payload("SubagentStop", agent_id="a1"))) == []
    assert open_after((1, asked), (2, tool("PostToolUse"))) == ["Bash"]
    assert open_after((1, asked), (2, tool("PostToolUse", agent_id="a1"))) == []
    assert open_after((1, asked), (2, MAIN_CLOSES[3])) == []


def test_a_subagents_end_without_a_name_closes_nothing() -> None:
    assert open_after((1, PERMISSION), (2, payload("SubagentStop"))) == ["Bash"]


def test_codex_dialogs_are_told_apart_by_turn_and_tool_not_by_input() -> None:
    """Codex shows its permission hook another input than the others (H 11)."""

    def asked(name: str, command: str, turn: str) -> Document:
        return tool(name, command, turn_id=turn)

    first = (1, asked("PermissionRequest", "touch x", "t1"))
    same = (2, asked("PostToolUse", "touch x && described", "t1"))
    assert open_after(first, same, client="codex") == []
    assert open_after(first, (2, asked("PostToolUse", "touch x", "t2")), client="codex") == ["Bash"]
    assert open_after(first, (2, payload("Interrupt")), client="codex") == []
    assert open_after(first, (2, payload("Stop")), client="codex") == []


def test_an_opening_older_than_the_close_of_its_key_changes_nothing() -> None:
    """A slow hook ends after the PostToolUse, even after the Stop (H 11)."""
    assert open_after((5, tool("PostToolUse")), (4, PERMISSION)) == []
    assert open_after((5, payload("Stop")), (4, PERMISSION)) == []
    assert open_after((5, tool("PostToolUse")), (6, PERMISSION)) == ["Bash"]


def test_on_a_tie_the_opening_stands() -> None:
    for close in (tool("PostToolUse"), *MAIN_CLOSES):
        assert open_after((5, close), (5, PERMISSION)) == ["Bash"]
        assert open_after((5, PERMISSION), (5, close)) == ["Bash"]


KEYS = [DialogKey(agent=agent, what=what) for agent in ("", "a1") for what in ("Bash", "Edit")]


def any_mark() -> st.SearchStrategy[Mark]:
    keyed = st.builds(
        Mark,
        at_ns=st.integers(0, 6).map(lambda tick: tick * TICK_NS),
        act=st.sampled_from((Act.OPEN, Act.OPEN, Act.CLOSE_KEY, Act.OPEN_ONCE, Act.CLOSE_AGENT)),
        key=st.sampled_from(KEYS),
    )
    plain = st.builds(
        Mark,
        at_ns=st.integers(0, 6).map(lambda tick: tick * TICK_NS),
        act=st.sampled_from((Act.OPEN_UNNAMED, Act.OPEN_UNNAMED, Act.CLOSE_ALL)),
        key=st.just(UNNAMED),
    )
    return st.one_of(keyed, keyed, plain)


@settings(max_examples=150, deadline=None)
@given(st.data(), st.lists(any_mark(), max_size=12))
def test_racing_hooks_give_one_set_in_whatever_order_they_arrive(
    data: st.DataObject, marks: list[Mark]
) -> None:
    """All at once, or one after the other in any order, with compaction after each."""
    at_once = DialogSet().with_marks(marks)
    one_by_one = DialogSet()
    for mark in data.draw(st.permutations(marks)):
        one_by_one = one_by_one.with_marks((mark,))
    assert one_by_one.open == at_once.open
    assert one_by_one.marks == at_once.marks


@settings(max_examples=100, deadline=None)
@given(st.lists(any_mark(), max_size=12))
def test_compaction_never_changes_what_is_open(marks: list[Mark]) -> None:
    compacted = DialogSet().with_marks(marks)
    rows = [mark.to_value() for mark in marks]
    whole = parse_dialogs(Fields(document={"marks": rows}))
    assert len(whole.marks) == len(marks)
    assert compacted.open == whole.open


@settings(max_examples=60, deadline=None)
@given(st.lists(any_mark(), max_size=12))
def test_what_is_stored_is_read_back(marks: list[Mark]) -> None:
    dialogs = DialogSet().with_marks(marks)
    assert parse_dialogs(Fields(document=dialogs.to_document())) == dialogs


def closes(count: int, *, first: int) -> Sequence[Mark]:
    return [
        Mark(at_ns=first + n, act=Act.CLOSE_KEY, key=DialogKey(what=f"tool {n}"))
        for n in range(count)
    ]


def test_a_long_turn_keeps_a_bounded_number_of_marks_and_every_open_dialog() -> None:
    asked = Mark(at_ns=1, act=Act.OPEN, key=DialogKey(what="Bash"))
    dialogs = DialogSet().with_marks([asked])
    for start in range(10, 1000, 100):
        dialogs = dialogs.with_marks(closes(100, first=start))
    assert dialogs.open == (asked,)
    assert len(dialogs.marks) <= MOST_MARKS + 1


@pytest.mark.parametrize(
    "marks", [None, [[1]], [[1, 99, "", "", "", 0]], [["1", 0, "", "", "", 0]], ["x"]]
)
def test_a_stored_set_of_another_form_is_refused(marks: Document | None) -> None:
    with pytest.raises(FieldWrong):
        parse_dialogs(Fields(document={"marks": marks}))
