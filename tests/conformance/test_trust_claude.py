"""Sessions that ask nobody, and sessions that outlive Tidings (D10, D12, H 11)."""

from collections.abc import Callable

import pytest

from conformance.plain import document, items, text_of
from tidings.ports.codec import Document

pytestmark = [pytest.mark.conformance, pytest.mark.whole_list, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]
ONCE: Document = {"brought_by": 1, "copies": 1}


@pytest.fixture(scope="module")
def removed(run_with_claude: RunScenario) -> Document:
    """Two sessions that were set up; the package goes, then its interpreter, and they work on."""
    return run_with_claude("removed")


def test_a_session_in_bypass_mode_hears_a_message_and_holds_nothing_before_its_operator(
    run_with_claude: RunScenario,
) -> None:
    """The client trusts its own live child, which our resident is there (D12, H 9)."""
    facts = run_with_claude("bypass")
    message = document(facts["message"])

    assert "bypassPermissions" in items(facts["modes"])
    assert (message["state"], message["evidence"], facts["reach"]) == ("delivered", "seen", ONCE)
    assert facts["dialogs"] == 0
    assert "held message" not in text_of(facts["shown"]).lower()


def test_with_the_package_gone_no_prompt_and_no_tool_is_blocked(removed: Document) -> None:
    assert (removed["setup"], removed["is_set_up"]) == (0, True)
    assert removed["without_package"] == [{"turns": 1}, {"turns": 1}]
    assert {"one", "two"} <= set(map(text_of, items(removed["made"])))


def test_with_the_interpreter_gone_no_prompt_and_no_tool_is_blocked(removed: Document) -> None:
    assert removed["without_interpreter"] == [{"turns": 1}, {"turns": 1}]
    assert {"three", "four"} <= set(map(text_of, items(removed["made"])))


def test_no_session_is_woken_because_the_package_is_gone(removed: Document) -> None:
    """Two prompts were typed into each, and each took two questions to the model; nothing else."""
    assert removed["asked_before"] == 0
    assert removed["asked"] == [4, 4]
    assert len(items(removed["prompts"])) == 4
    assert removed["alive"] == [None, None]
