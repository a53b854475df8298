"""`tidings setup` against the real client: in, at work, and out again without a trace (D10, D12)."""

from collections.abc import Callable

import pytest

from conformance.plain import document, items
from tidings.ports.codec import Document

pytestmark = [pytest.mark.conformance, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]


@pytest.fixture(scope="module")
def installed(run_with_claude: RunScenario) -> Document:
    """Setup, setup again, two sessions, a message between them, and removal beside them."""
    return run_with_claude("installed")


def test_setup_puts_hooks_and_plugin_in_once(installed: Document) -> None:
    first, again, _armed, _removed = (document(call) for call in items(installed["calls"]))

    assert (first["code"], again["code"]) == (0, 0)
    outputs = [document(call["output"]) for call in (first, again)]
    assert [one["changed"] for one in outputs] == [True, False]
    assert [(one["hook_works"], one["plugin_listed"]) for one in outputs] == [(True, True)] * 2
    assert installed["unchanged"] is True


def test_sessions_then_start_with_hooks_and_monitor_and_no_model_is_asked(
    installed: Document,
) -> None:
    assert installed["hooks"]
    assert installed["asked_at_rest"] == 0


def test_an_agent_then_finds_the_command_and_is_not_asked_for_permission(
    installed: Document,
) -> None:
    """The plugin brings the command along; the test's own is not on that PATH."""
    assert document(items(installed["calls"])[2])["code"] == 0
    assert installed["dialogs"] == 0


def test_removal_restores_every_byte_and_leaves_sessions_alone(installed: Document) -> None:
    assert document(items(installed["calls"])[3])["code"] == 0
    assert installed["restored"] is True
    assert installed["alive"] == [None, None]
