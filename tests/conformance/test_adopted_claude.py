"""Sessions without a monitor of ours, against the real client (D12, H 4, H 9)."""

from collections.abc import Callable

import pytest

from conformance.plain import document, items, text_of
from tidings.domain.interaction.modes import OPEN_MODES
from tidings.ports.codec import Document

pytestmark = [pytest.mark.conformance, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]
ONCE: Document = {"brought_by": 1, "copies": 1}
DONE, NOT_FOUND, GONE = 0, 3, 9


def codes(facts: Document) -> list[object]:
    return [document(call)["code"] for call in items(facts["calls"])]


@pytest.fixture(scope="module")
def adopted(run_with_claude: RunScenario) -> Document:
    """A session that ran before setup, and was written to after its next prompt."""
    return run_with_claude("adopted")


def test_a_session_that_ran_before_setup_is_found_at_its_next_event_and_reached(
    adopted: Document,
) -> None:
    assert codes(adopted) == [NOT_FOUND, DONE, DONE, DONE]
    assert document(adopted["seen"])["state"] == "delivered"
    assert adopted["text"] == ONCE
    assert adopted["dialogs"] == 0


def test_the_client_says_nothing_of_a_hook_that_its_shell_ended_unread(adopted: Document) -> None:
    quiet = document(adopted["quiet"])

    assert isinstance(quiet["large"], int)
    assert quiet["large"] > 100_000
    assert "PostToolUse" not in items(quiet["recorded"])
    assert items(quiet["recorded"])[-1] == "Stop"
    assert quiet["complaints"] == []


@pytest.mark.whole_list
def test_a_session_in_print_mode_is_reached_and_gone_with_its_input(
    run_with_claude: RunScenario,
) -> None:
    facts = run_with_claude("print_mode")

    assert codes(facts) == [DONE, DONE, DONE, GONE]
    assert document(facts["seen"])["state"] == "delivered"
    assert facts["text"] == ONCE
    assert facts["ended"] == 0


@pytest.mark.whole_list
def test_in_bypass_mode_a_helper_writes_nothing(run_with_claude: RunScenario) -> None:
    facts = run_with_claude("bypassed")

    assert codes(facts) == [DONE, DONE, DONE]
    assert document(facts["shown"])["reason"] == "awaiting-pull"
    assert facts["screen"] is False
    assert facts["text"] == {"brought_by": 0, "copies": 0}


@pytest.mark.whole_list
def test_which_modes_give_a_model_the_frames_of_outsiders(run_with_claude: RunScenario) -> None:
    """What a helper may rely on (decision 0013)."""
    found = {mode: document(facts) for mode, facts in run_with_claude("outsiders").items()}

    held = found.pop("bypassPermissions")
    assert (held["result"], held["heard"]) == ("full", 0)
    assert [facts["heard"] for facts in found.values()] == [1] * len(found)
    assert {text_of(facts["mode"]) for facts in found.values()} == OPEN_MODES
