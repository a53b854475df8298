"""A session without a terminal is a session like any other, monitor and all (H 4, D12)."""

from collections.abc import Callable

import pytest

from conformance.plain import document, items
from tidings.ports.codec import Document

pytestmark = [pytest.mark.conformance, pytest.mark.whole_list, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]
ONCE: Document = {"brought_by": 1, "copies": 1}
DONE, NOT_ALLOWED = 0, 5


def test_a_session_in_the_background_is_reached_once_armed_and_gone_once_stopped(
    run_with_claude: RunScenario,
) -> None:
    facts = run_with_claude("background")
    calls = [document(call) for call in items(facts["calls"])]

    assert facts["kinds"] == ["background"]
    assert [call["code"] for call in calls] == [NOT_ALLOWED, DONE, DONE]
    assert document(facts["seen"])["state"] == "delivered"
    assert facts["reach"] == ONCE
    assert (facts["prompts"], facts["dialogs"]) == (2, 0)
