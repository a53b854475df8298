"""Identity is a living process with its conversation, never a number, a path or a name (P1, P9, D1)."""

from collections.abc import Callable

import pytest

from conformance.plain import document, items
from tidings.ports.codec import Document, Value

pytestmark = [pytest.mark.conformance, pytest.mark.whole_list, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]
ONCE: Document = {"brought_by": 1, "copies": 1}
NEVER: Document = {"brought_by": 0, "copies": 0}
NOT_ALLOWED = 5


def test_a_message_for_the_conversation_before_a_clear_is_stale_and_never_heard(
    run_with_claude: RunScenario,
) -> None:
    """The session itself goes on: what is sent to its new conversation is heard (D1)."""
    facts = run_with_claude("cleared")

    assert len(set(map(str, items(facts["conversations"])))) == 2
    _assert_stale(facts)
    assert _outcome(facts["afterwards"]) == ("delivered", "seen", ONCE)


def test_a_conversation_resumed_in_a_second_terminal_has_no_share_in_the_first_ones_consent(
    run_with_claude: RunScenario,
) -> None:
    facts = run_with_claude("resumed")

    assert len(set(map(str, items(facts["conversations"])))) == 1
    assert len(set(map(str, items(facts["addresses"])))) == 2
    assert facts["consent"] == ["armed", "none"]
    _assert_not_armed(facts["refused"])
    assert _outcome(facts["heard"]) == ("delivered", "seen", ONCE)
    assert facts["heard_by"] == items(facts["pids"])[:1]


def test_a_session_with_the_number_and_the_socket_of_a_killed_one_inherits_nothing(
    run_with_claude: RunScenario,
) -> None:
    """No consent and no message, until somebody arms it by itself (P1)."""
    facts = run_with_claude("reborn")

    assert [len(set(map(str, items(facts[one])))) for one in ("pids", "sockets")] == [1, 1]
    assert len(set(map(str, items(facts["conversations"])))) == 2
    _assert_stale(facts)
    _assert_not_armed(facts["refused"])
    assert _outcome(facts["heard"]) == ("delivered", "seen", ONCE)


def _assert_stale(facts: Document) -> None:
    """What waited ended as stale, and no model was ever asked with it."""
    waiting, ended = document(facts["waiting"]), document(facts["ended"])
    assert (waiting["state"], waiting["reason"]) == ("held", "when")
    assert (ended["state"], ended["reason"]) == ("stale", "target-activation-stale")
    assert facts["first"] == NEVER


def _assert_not_armed(call: Value) -> None:
    refused = document(call)
    output = document(refused["output"])
    assert (refused["code"], output["reason"]) == (NOT_ALLOWED, "target-not-armed")


def _outcome(told: Value) -> tuple[Value, Value, Value]:
    heard = document(told)
    message = document(heard["message"])
    return message["state"], message["evidence"], heard["reach"]
