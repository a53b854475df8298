"""The order of events in one simulated session is the one that was measured (H 2, H 9, H 11)."""

from collections import Counter
from pathlib import Path
from typing import cast

import pytest

from support.simulated import PLAIN_TURN, TOOL_TURN, simulated
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.simulated.script import AskOperator, Elicit, Say, UseTool
from tidings.entrypoints.simulated.view import HarnessRefused
from tidings.ports.codec import Document


def _turn(harness: SimulatedHarness, *, start: int = 1) -> list[str]:
    """The events after the first ``start``; the last two of a turn come in either order (H 2)."""
    names = harness.traces.event_names()[start:]
    for place in range(len(names) - 1):
        if names[place : place + 2] == ["Stop", "MessageDisplay"]:
            names[place : place + 2] = ["MessageDisplay", "Stop"]
    return names


def _payload(harness: SimulatedHarness, event: str) -> Document:
    found = [line for line in harness.traces.events() if line["event"] == event]
    return cast("Document", found[-1]["payload"])


def _kinds(harness: SimulatedHarness) -> list[str]:
    return [str(line.get("subtype") or line["type"]) for line in harness.transcript()]


def test_a_plain_turn_ends_with_stop_and_two_system_lines(tmp_path: Path) -> None:
    """H 2 plain turn; H 9 a normal end."""
    with simulated(tmp_path) as harness:
        assert harness.traces.event_names() == ["SessionStart"]
        harness.prompt("hi", Say(text="hello"))
        harness.wait_idle()
        assert _turn(harness) == PLAIN_TURN
        assert _payload(harness, "Stop")["last_assistant_message"] == "hello"
        assert _kinds(harness) == ["user", "assistant", "stop_hook_summary", "turn_duration"]


def test_a_tool_runs_between_its_two_hooks(tmp_path: Path) -> None:
    """H 2 tool allowed; PermissionRequest alone carries no id of the tool use."""
    with simulated(tmp_path) as harness:
        harness.prompt("go", UseTool())
        harness.wait_idle()
        assert _turn(harness) == TOOL_TURN
        before, after = _payload(harness, "PreToolUse"), _payload(harness, "PostToolUse")
        assert before["tool_use_id"] == after["tool_use_id"]
        assert set(after) - set(before) == {"tool_response", "duration_ms"}


def test_a_failing_tool_has_a_failure_in_place_of_its_end(tmp_path: Path) -> None:
    """H 2 failing tool."""
    with simulated(tmp_path) as harness:
        harness.prompt("go", UseTool(error="Exit code 2"))
        harness.wait_idle()
        assert _turn(harness)[2] == "PostToolUseFailure"
        assert _payload(harness, "PostToolUseFailure")["error"] == "Exit code 2"


def test_an_allowed_dialog_goes_on_with_the_tool(tmp_path: Path) -> None:
    """H 2 permission, allowed; the reminder comes while it is open, six seconds late by default."""
    with simulated(tmp_path, notification_seconds=0.05) as harness:
        harness.permission_dialog()
        assert harness.last.waiting_for
        assert "tool_use_id" not in _payload(harness, "PermissionRequest")
        harness.wait_until(
            lambda _view: "Notification" in harness.traces.event_names(), "the reminder"
        )
        harness.allow()
        harness.wait_idle()
        assert _turn(harness) == [
            "UserPromptSubmit",
            "PreToolUse",
            "PermissionRequest",
            "Notification",
            *TOOL_TURN[2:],
        ]
        assert _payload(harness, "Notification")["notification_type"] == "permission_prompt"


@pytest.mark.parametrize("how", ["deny", "escape"])
@pytest.mark.parametrize("what", [UseTool(asks=True), AskOperator()])
def test_a_denied_dialog_leaves_no_hook_and_only_two_lines(
    tmp_path: Path, how: str, what: UseTool | AskOperator
) -> None:
    """H 2 permission, denied; H 9 Esc or No: the tool result, the interruption, status idle."""
    with simulated(tmp_path) as harness:
        harness.prompt("go", what)
        harness.wait_until(lambda view: view.dialogs, "the dialog")
        getattr(harness, how)()
        harness.wait_idle()
        assert _turn(harness) == ["UserPromptSubmit", "PreToolUse", "PermissionRequest"]
        rejected, interrupted = harness.transcript()[-2:]
        assert rejected["toolUseResult"] == "User rejected tool use"
        use_id = _payload(harness, "PreToolUse")["tool_use_id"]
        assert str(use_id) in str(rejected["message"])
        assert "'is_error': True" in str(rejected["message"])
        assert "[Request interrupted by user for tool use]" in str(interrupted["message"])
        assert "turn_duration" not in _kinds(harness)


def test_a_question_is_one_dialog_whose_answer_reaches_the_tool(tmp_path: Path) -> None:
    """H 2 AskUserQuestion; ``waitingFor`` is "input needed"."""
    with simulated(tmp_path) as harness:
        harness.question("Which colour?", "Red", "Blue")
        assert harness.last.waiting_for == "input needed"
        harness.allow("Blue")
        harness.wait_idle()
        assert _turn(harness)[:4] == [
            "UserPromptSubmit",
            "PreToolUse",
            "PermissionRequest",
            "PostToolUse",
        ]
        response = cast("Document", _payload(harness, "PostToolUse")["tool_response"])
        assert response["answers"] == {"Which colour?": "Blue"}


def test_an_elicitation_declined_goes_on_with_the_turn(tmp_path: Path) -> None:
    """H 2 MCP elicitation."""
    with simulated(tmp_path) as harness:
        harness.elicitation("elic")
        harness.deny()
        harness.wait_idle()
        assert _turn(harness) == [
            "UserPromptSubmit",
            "PreToolUse",
            "Elicitation",
            "ElicitationResult",
            "Notification",
            *TOOL_TURN[2:],
        ]
        assert _payload(harness, "ElicitationResult")["action"] == "decline"
        assert _payload(harness, "Elicitation")["mcp_server_name"] == "elic"


def test_an_approved_long_command_says_nothing_until_it_ends(tmp_path: Path) -> None:
    """H 11: no hook between approval and end, the status turns busy at once."""
    with simulated(tmp_path) as harness:
        harness.permission_dialog()
        before = harness.traces.event_names()
        harness.approve_long_command()
        assert harness.last.status == "busy"
        assert harness.traces.event_names() == before
        harness.finish()
        harness.wait_idle()
        assert _turn(harness)[3:] == TOOL_TURN[2:]


def test_an_api_error_is_a_stop_failure_and_no_stop(tmp_path: Path) -> None:
    """H 2 API error."""
    with simulated(tmp_path) as harness:
        harness.api_error("server_error")
        assert _turn(harness) == ["UserPromptSubmit", "StopFailure"]
        assert _payload(harness, "StopFailure")["error"] == "server_error"


def test_escape_while_the_model_answers_leaves_nothing(tmp_path: Path) -> None:
    """H 2 Esc while the model answers."""
    with simulated(tmp_path) as harness:
        harness.think()
        harness.escape()
        harness.wait_idle()
        assert _turn(harness) == ["UserPromptSubmit"]
        assert "turn_duration" not in _kinds(harness)


def test_the_main_agent_stops_while_a_subagents_dialog_is_open(tmp_path: Path) -> None:
    """H 2 subagent, H 11: Stop fires, the status stays waiting; its end wakes the main agent."""
    with simulated(tmp_path) as harness:
        harness.subagent_dialog()
        assert harness.view().status == "waiting"
        assert Counter(harness.traces.event_names())["Stop"] == 1
        agent_id = _payload(harness, "SubagentStart")["agent_id"]
        assert _payload(harness, "PermissionRequest")["agent_id"] == agent_id
        harness.allow()
        harness.wait_idle()
        assert _turn(harness)[-5:] == ["PostToolUse", "SubagentStop", *PLAIN_TURN]
        assert "<task-notification>" in str(_payload(harness, "UserPromptSubmit")["prompt"])


def test_a_verb_that_does_not_fit_the_moment_is_refused(tmp_path: Path) -> None:
    with simulated(tmp_path) as harness:
        for verb in (harness.allow, harness.deny, harness.finish, harness.escape):
            with pytest.raises(HarnessRefused):
                verb()
        harness.busy()
        with pytest.raises(HarnessRefused, match="a turn is running"):
            harness.clear()
        harness.finish()


def test_a_script_of_several_steps_is_one_turn(tmp_path: Path) -> None:
    with simulated(tmp_path) as harness:
        harness.prompt("go", UseTool(), UseTool(tool="Read"), Elicit(), Say(text="done"))
        harness.wait_until(lambda view: view.dialogs, "the form")
        harness.allow("Robot")
        harness.wait_idle()
        assert Counter(_turn(harness))["Stop"] == 1
        assert harness.last.requests == 4
