"""The main job against the real client: the whole product around Claude Code (issue 2, D29)."""

from collections.abc import Callable

import pytest

from conformance.plain import document, items
from tidings.ports.codec import Document

pytestmark = [pytest.mark.conformance, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]
ONCE: Document = {"brought_by": 1, "copies": 1}

DONE, NOT_ALLOWED = 0, 5


@pytest.fixture(scope="module")
def armed(run_with_claude: RunScenario) -> Document:
    """A session that was written to before it was armed, while it was, and after its disarm."""
    return run_with_claude("armed_message")


def test_only_an_armed_session_is_written_to(armed: Document) -> None:
    calls = [document(call) for call in items(armed["calls"])]

    assert [call["code"] for call in calls] == [NOT_ALLOWED, DONE, DONE, DONE, NOT_ALLOWED]
    assert all("target-not-armed" in str(call) for call in (calls[0], calls[4]))


def test_one_armed_message_reaches_the_models_request_exactly_once(armed: Document) -> None:
    assert armed["question"] == ONCE
    assert document(armed["seen"])["state"] == "delivered"
    assert armed["turns"] == 1
    assert armed["dialogs"] == 0


@pytest.mark.case("R261")
def test_a_message_waits_behind_a_dialog_and_goes_out_when_it_is_denied(
    run_with_claude: RunScenario,
) -> None:
    """No hook tells of the denial; the published status does (P7, D24)."""
    facts = run_with_claude("held_by_a_dialog")
    held = document(document(facts["held"])["output"])

    assert (held["state"], held["reason"]) == ("held", "target-awaiting-operator")
    assert facts["meanwhile"] == {"brought_by": 0, "copies": 0}
    assert document(facts["seen"])["state"] == "delivered"
    assert facts["question"] == ONCE
    assert facts["command_ran"] is False


def test_two_sessions_talk_and_nobody_is_asked_for_permission(run_with_claude: RunScenario) -> None:
    """front asks through its shell, api answers by SendMessage, front hears it (H 10, D6, D29)."""
    facts = run_with_claude("conversation")

    assert document(facts["armed"])["code"] == DONE
    assert (facts["question"], facts["answer"]) == (ONCE, ONCE)
    assert document(facts["answered"])["state"] == "delivered"
    assert facts["dialogs"] == 0
