"""The folded state of a session: conversation, end, last event (D1, D11, D23)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.hook_events import SESSION, WALL_NS, event, payload, tool
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.interaction.events import UnreadableEvent, read_event
from tidings.domain.interaction.state import InteractionState, parse_state
from tidings.ports.codec import Document
from tidings.ports.errors import StoreMalformed

OLD, NEW = SESSION, "78e2aedb-e4dc-4cad-b6ca-c517e9233365"


def of(session: str, name: str, **fields: str) -> Document:
    path = f"/t/{session[:4]}.jsonl"
    return payload(name, **fields) | {"session_id": session, "transcript_path": path}


def after(*told: tuple[int, Document]) -> InteractionState:
    return InteractionState().after(event(document, tick=tick) for tick, document in told)


def test_clear_and_resume_change_the_conversation_and_end_nothing() -> None:
    for reason in ("clear", "resume"):
        state = after(
            (1, of(OLD, "SessionStart", source="startup")),
            (2, of(OLD, "SessionEnd", reason=reason)),
            (3, of(NEW, "SessionStart", source=reason)),
        )
        assert (state.conversation_id, state.transcript_path) == (NEW, "/t/78e2.jsonl")
        assert not state.ended


def test_an_end_ends_and_a_later_start_takes_it_back() -> None:
    told = [(1, of(OLD, "SessionStart")), (2, of(OLD, "SessionEnd", reason="other"))]
    assert after(*told).ended
    assert not after(*told, (3, of(OLD, "SessionStart", source="resume"))).ended


def test_ends_of_conversations_that_are_not_known_are_ignored() -> None:
    """A plugin command fired a SessionEnd without a SessionStart (H 9)."""
    assert not after((1, of(OLD, "SessionEnd", reason="other"))).ended
    assert not after((1, of(OLD, "SessionStart")), (2, of(NEW, "SessionEnd", reason="other"))).ended


def test_a_session_met_in_the_middle_is_known_from_then_on() -> None:
    state = after((5, of(OLD, "UserPromptSubmit", prompt="x")))
    assert (state.conversation_id, state.transcript_path) == (OLD, "/t/b098.jsonl")
    assert after((5, of(OLD, "Stop")), (6, of(OLD, "SessionEnd", reason="other"))).ended


def test_a_late_event_of_the_old_conversation_changes_nothing_of_the_new() -> None:
    state = after((3, of(NEW, "SessionStart", source="clear")))
    later = state.after([event(of(OLD, "UserPromptSubmit", prompt="x"), tick=4)])
    older = state.after([event(of(OLD, "SessionStart", source="startup"), tick=1)])
    assert (later.conversation_id, older.conversation_id) == (NEW, NEW)
    assert later.transcript_path == "/t/78e2.jsonl"


def test_a_start_leaves_the_dialogs_alone() -> None:
    state = after((1, tool("PermissionRequest")), (2, of(OLD, "SessionStart", source="compact")))
    assert [mark.key.what for mark in state.dialogs.open] == ["Bash"]


def test_the_last_event_is_the_one_that_started_last() -> None:
    state = after((3, payload("Stop")), (2, tool("PostToolUse")))
    assert (state.last_event, state.last_event_at_ns) == ("Stop", WALL_NS + 30_000_000)


@pytest.mark.parametrize(
    ("mode", "lets_in"),
    [
        ("default", True),
        ("acceptEdits", True),
        ("plan", True),
        ("auto", True),
        ("dontAsk", True),
        ("bypassPermissions", False),
        ("a mode of a later release", False),
        ("", False),
    ],
)
def test_which_modes_let_outsiders_in(mode: str, lets_in: bool) -> None:
    assert after((1, payload("Stop") | {"permission_mode": mode})).lets_outsiders_in is lets_in


def test_the_mode_is_what_the_newest_event_of_the_main_agent_said() -> None:
    bypass: Document = {"permission_mode": "bypassPermissions"}
    state = after((3, payload("Stop")), (2, payload("Stop") | bypass))
    assert state.mode == "default", "an older event lost a race"
    state = state.after([event(payload("Stop", agent_id="a1") | bypass, tick=4)])
    assert state.mode == "default", "a subagent's mode is its own"
    silent: Document = {"permission_mode": ""}
    state = state.after([event(payload("SessionStart", source="clear") | silent, tick=5)])
    assert state.mode == "default", "not every event says it"
    state = state.after([event(payload("UserPromptSubmit", prompt="x") | bypass, tick=6)])
    assert (state.mode, state.lets_outsiders_in) == ("bypassPermissions", False)


def test_a_row_from_before_modes_were_known_reads_as_unknown() -> None:
    document = after((1, payload("Stop"))).to_document()
    del document["mode"]
    assert parse_state(document).mode == ""


def test_since_when_an_operator_is_awaited() -> None:
    state = after((1, tool("PermissionRequest")), (2, tool("PermissionRequest", "other")))
    assert state.waits_since_ns == WALL_NS + 10_000_000
    assert InteractionState().waits_since_ns is None


def test_a_line_that_does_not_read_counts_as_an_opening_until_a_turn_ends() -> None:
    state = after((5, tool("PostToolUse"))).after([UnreadableEvent(why="torn")])
    assert len(state.dialogs.open) == 1
    assert not state.after([event(payload("Stop"), tick=6)]).dialogs.open


def test_what_was_read_only_in_part_opens_but_never_closes() -> None:
    cut: Document = {"v": 1, "client": "claude", "session": OLD, "start": 1, "at": 1, "cut": True}
    opening = read_event(JsonCodec().encode(cut | {"event": "PermissionRequest"}), JsonCodec())
    closing = read_event(
        JsonCodec().encode(cut | {"event": "PostToolUse", "start": 9}), JsonCodec()
    )
    state = InteractionState().after([opening])
    assert len(state.dialogs.open) == 1
    assert len(state.after([closing]).dialogs.open) == 1


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b'{"v":1}',
        b'{"v":2,"event":"Stop","client":"claude","start":1,"at":1}',
        b'{"v":1,"event":"Stop","client":"claude","start":-1,"at":1}',
        b'{"v":1,"event":7,"client":"claude","start":1,"at":1}',
        b'{"v":1,"event":"Stop","client":"claude","start":1,"at":1,"digests":"x"}',
        b"\xff",
    ],
)
def test_a_line_of_another_form_is_unreadable(text: bytes) -> None:
    assert isinstance(read_event(text, JsonCodec()), UnreadableEvent)


TOLD: list[tuple[int, Document]] = [
    (1, of(OLD, "SessionStart", source="startup")),
    (2, of(OLD, "UserPromptSubmit", prompt="x")),
    (3, tool("PermissionRequest")),
    (4, tool("PostToolUse")),
    (5, payload("Notification", notification_type="permission_prompt")),
    (6, of(OLD, "SessionEnd", reason="clear")),
    (7, of(NEW, "SessionStart", source="clear")),
    (8, tool("PermissionRequest", "rm")),
    (9, of(NEW, "SessionEnd", reason="other")),
]


@settings(max_examples=60, deadline=None)
@given(st.permutations(TOLD))
def test_a_whole_life_folds_alike_in_any_order_of_arrival(told: list[tuple[int, Document]]) -> None:
    state = InteractionState()
    for tick, document in told:
        state = state.after([event(document, tick=tick)])
    expected = after(*TOLD)
    assert state.conversation_id == expected.conversation_id == NEW
    assert state.ended is expected.ended is True
    assert state.dialogs.open == expected.dialogs.open
    assert state.last_event == expected.last_event


def test_what_is_stored_is_read_back() -> None:
    state = after(*TOLD)
    assert parse_state(state.to_document()) == state
    assert parse_state(InteractionState().to_document()) == InteractionState()


def test_a_stored_state_of_another_form_is_malformed() -> None:
    wrongs: list[Document] = [{}, {"v": 1}, after(*TOLD).to_document() | {"v": 2}]
    for wrong in wrongs:
        with pytest.raises(StoreMalformed):
            parse_state(wrong)
