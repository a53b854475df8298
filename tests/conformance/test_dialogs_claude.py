"""Never into an open dialog, whatever opened it and however it ends (P7, D23, D24, M 4)."""

from collections.abc import Callable

import pytest

from conformance.plain import document, items, parsed, text_of
from tidings.ports.codec import Document

pytestmark = [pytest.mark.conformance, pytest.mark.whole_list, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]
ONCE: Document = {"brought_by": 1, "copies": 1}
NEVER: Document = {"brought_by": 0, "copies": 0}

RELEASE_SECONDS = 4.0
"""Twice what it takes on a machine with nothing else to do (issue 5, 8): two looks half a second
apart, each a run of the client's own command, while here several clients share the cores."""


@pytest.fixture(scope="module")
def dialogs(run_with_claude: RunScenario) -> Document:
    """Permission prompts and questions of the main agent, one after another in one session."""
    return run_with_claude("dialogs")


@pytest.fixture(scope="module")
def deeper(run_with_claude: RunScenario) -> Document:
    """A server's forms and a subagent's permission prompt in another one."""
    return run_with_claude("deeper_dialogs")


def test_a_message_waits_behind_a_permission_prompt_that_is_then_allowed(
    dialogs: Document,
) -> None:
    _assert_waited(document(dialogs["allowed"]))
    assert "allowed" in items(dialogs["made"])


def test_a_message_waits_behind_a_permission_prompt_that_is_then_refused_with_no(
    dialogs: Document,
) -> None:
    _assert_waited(document(dialogs["refused"]))
    assert "refused" not in items(dialogs["made"])


def test_a_message_waits_behind_a_question_and_leaves_its_answer_intact(dialogs: Document) -> None:
    _assert_waited(document(dialogs["answered"]))
    answers = [document(answer) for answer in items(dialogs["answers"])]
    assert [answer["answers"] for answer in answers] == [{"Which colour?": "blue"}]


def test_a_message_waits_behind_a_question_that_is_then_left_with_escape(
    dialogs: Document,
) -> None:
    _assert_waited(document(dialogs["left"]))
    assert len(items(dialogs["answers"])) == 1


def test_a_message_goes_out_while_an_approved_command_still_runs(dialogs: Document) -> None:
    """No hook tells of the approval before the command ends after 6 s; the status does (D24)."""
    _assert_waited(document(dialogs["long"]))
    assert "long" in items(dialogs["made"])


def test_a_message_waits_behind_a_servers_form_that_is_then_accepted(deeper: Document) -> None:
    _assert_waited(document(deeper["accepted"]))
    assert _said(deeper, 0) == {"action": "accept", "content": {}}


def test_a_message_waits_behind_a_servers_form_that_is_then_left(deeper: Document) -> None:
    _assert_waited(document(deeper["cancelled"]))
    assert _said(deeper, 1) == {"action": "cancel"}


def test_the_end_of_the_main_agents_turn_frees_no_message_while_a_subagent_asks(
    deeper: Document,
) -> None:
    facts = document(deeper["of_subagent"])

    _assert_waited(facts)
    assert document(facts["held"])["status"] == "waiting"
    assert "of_subagent" in items(deeper["made"])


def _assert_waited(facts: Document) -> None:
    """Held while the dialog was open, delivered soon after its end, and heard exactly once."""
    held, message = document(facts["held"]), document(facts["message"])
    assert (held["state"], held["reason"]) == ("held", "target-awaiting-operator")
    assert held["reach"] == NEVER
    assert (message["state"], message["evidence"]) == ("delivered", "seen")
    assert facts["reach"] == ONCE
    after = facts["seconds_after_close"]
    assert isinstance(after, float)
    assert 0 < after < RELEASE_SECONDS


def _said(facts: Document, number: int) -> Document:
    """What the server's tool was told by the operator, as it told its caller."""
    (block,) = items(items(facts["answers"])[number])
    told = text_of(document(block).get("text"))
    return document(parsed(told.removeprefix("the operator said ")))
