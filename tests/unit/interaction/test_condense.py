"""From payload to record: what is kept, what never is, and what is quiet (D10, D23)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.hook_events import (
    PAYLOADS,
    SESSION,
    event,
    payload,
    question,
    record,
    recorded,
    tool,
)
from tidings.domain.interaction import harness_events as table
from tidings.domain.interaction.condense import LONGEST_NAME, condense_cut, short_name
from tidings.domain.interaction.harness_events import effect_of
from tidings.ports.codec import Document, Value

QUIET_CLAUDE = [
    "MessageDisplay",
    "PostToolBatch",
    "SubagentStart",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "UserPromptExpansion",
    "Setup",
    "InstructionsLoaded",
    "ConfigChange",
    "FileChanged",
    "CwdChanged",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "WorktreeCreate",
]


@pytest.mark.parametrize("name", [*QUIET_CLAUDE, "Unheard", "", "permissionrequest"])
def test_what_no_table_names_is_quiet(name: str) -> None:
    assert record(tool(name), tick=1) is None


def test_quiet_are_also_other_tools_other_notices_and_other_clients() -> None:
    assert record(tool("PreToolUse"), tick=1) is None
    assert record(payload("Notification", notification_type="idle_prompt"), tick=1) is None
    assert record(payload("Notification", notification_type="elicitation_response"), tick=1) is None
    assert record(payload("Notification"), tick=1) is None
    assert record(tool("PermissionRequest"), tick=1, client="gemini") is None
    assert record(question("PreToolUse"), tick=1, client="codex") is None
    assert record(payload("Interrupt"), tick=1) is None


@pytest.mark.parametrize("client", ["claude", "codex"])
def test_every_recorded_payload_gives_a_record_or_is_quiet_by_the_table(client: str) -> None:
    for row in recorded(client):
        given_in = row["stdin"]
        assert isinstance(given_in, dict)
        kept = record(given_in, tick=7, client=client)
        effect = effect_of(
            client,
            str(row["event"]),
            tool=str(given_in.get("tool_name", "")),
            notice=str(given_in.get("notification_type", "")),
        )
        assert (kept is None) == (effect == table.QUIET), row["event"]


def test_no_recorded_prompt_input_output_or_secret_is_kept() -> None:
    """Whatever the client tells of content stays out; only names, digests and refs are kept."""
    for row in (*recorded("claude"), *recorded("codex")):
        given_in = row["stdin"]
        assert isinstance(given_in, dict)
        kept = json.dumps(record(given_in, tick=1, client=str(row["client"])))
        for name in ("prompt", "tool_input", "tool_response", "last_assistant_message", "message"):
            for text in _texts(given_in.get(name)):
                assert text not in kept, (row["event"], name)


def _texts(value: Value) -> list[str]:
    """Every text of some length in a plain value."""
    if isinstance(value, dict):
        return [text for part in value.values() for text in _texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    return [value] if isinstance(value, str) and len(value) > 12 else []


def test_the_payloads_are_the_recorded_ones() -> None:
    assert [len(recorded(client)) for client in ("claude", "codex")] == [78, 19]
    assert (PAYLOADS / "event-order.jsonl").exists()


def test_equal_input_has_one_digest_whatever_order_its_keys_came_in() -> None:
    one = payload("PermissionRequest", tool_name="Edit", tool_input={"a": [1, True], "b": "x"})
    two = payload("PostToolUse", tool_name="Edit", tool_input={"b": "x", "a": [1, True]})
    other = payload("PostToolUse", tool_name="Edit", tool_input={"b": "x", "a": [1, 1]})
    digests = [event(document, tick=1).input_digest for document in (one, two, other)]
    assert digests[0] == digests[1] != digests[2]
    assert len(digests[0]) == 16


def test_a_start_and_a_prompt_name_the_transcript() -> None:
    assert event(payload("SessionStart", source="clear"), tick=1).transcript_path
    assert event(payload("UserPromptSubmit", prompt="x"), tick=1).transcript_path
    assert not event(payload("Stop"), tick=1).transcript_path
    long = payload("SessionStart", transcript_path="/" + "ä" * 300)
    assert not event(long, tick=1).transcript_path


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_names_are_bounded_and_printable(name: str) -> None:
    short = short_name(name)
    assert len(short) <= LONGEST_NAME
    short.encode("utf-8")
    assert short_name(short) == short


class TestCutPayload:
    """A payload above the limit, or one that does not read: only its beginning speaks."""

    def cut(self, document: Document, client: str = "claude") -> Document | None:
        head = json.dumps(document)[:-5]
        return condense_cut(client, head, started_at_ns=1, at_ns=2)

    def test_an_opening_counts_with_what_can_be_read(self) -> None:
        asked = payload("PermissionRequest", tool_name="Write", tool_input={"content": "x" * 99})
        kept = self.cut({"agent_id": "a1", **asked})
        assert kept == {
            "v": 1,
            "event": "PermissionRequest",
            "client": "claude",
            "session": SESSION,
            "start": 1,
            "at": 2,
            "agent": "a1",
            "mode": "default",
            "tool": "Write",
            "cut": True,
        }

    def test_a_close_is_kept_as_a_question_to_the_status(self) -> None:
        kept = self.cut(tool("PostToolUse"))
        assert kept is not None
        assert kept["cut"] is True

    @pytest.mark.parametrize("name", ["SessionStart", "SessionEnd", "PreToolUse", "Unheard"])
    def test_nothing_else_is_guessed(self, name: str) -> None:
        assert self.cut(tool(name)) is None

    def test_a_question_and_a_notice_are_known_by_their_names(self) -> None:
        assert self.cut(question("PreToolUse")) is not None
        notice = payload("Notification", notification_type="permission_prompt", message="m" * 9)
        assert self.cut(notice) is not None

    @pytest.mark.parametrize(
        "head",
        [
            "",
            "{",
            '{"hook_event_name"',
            '{"hook_event_name":',
            '{"hook_event_name":"Perm',
            '{"hook_event_name":7}',
            '{"hook_event_name":"Permission\\u0052equest"}',
            '{"prompt":"\\"hook_event_name\\":\\"PermissionRequest\\""}',
            '["hook_event_name","PermissionRequest"]',
        ],
    )
    def test_text_that_only_looks_like_an_event_is_none(self, head: str) -> None:
        assert condense_cut("claude", head, started_at_ns=1, at_ns=2) is None
