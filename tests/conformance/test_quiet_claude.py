"""Who is not written to is left alone: no line, no request, no wake (D12, the product's first promise)."""

from collections.abc import Callable

import pytest

from conformance.plain import items, text_of
from tidings.ports.codec import Document

pytestmark = [pytest.mark.conformance, pytest.mark.whole_list, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]


@pytest.fixture(scope="module")
def quiet(run_with_claude: RunScenario) -> Document:
    """A session from its start over arm and disarm to its end, to which nobody sends anything."""
    return run_with_claude("quiet")


def test_start_arm_disarm_and_end_ask_no_model_and_start_no_turn(quiet: Document) -> None:
    assert quiet["codes"] == [0, 0]
    assert quiet["requests"] == 0
    assert quiet["events"] == ["SessionStart", "SessionEnd"]


def test_start_arm_disarm_and_end_show_no_line(quiet: Document) -> None:
    """The start shows what the client shows of itself, and that one monitor runs."""
    shown = text_of(quiet["shown"]).lower()

    assert "1 monitor" in shown
    assert [word for word in ("tidings", "hook", "event", "error") if word in shown] == []
    assert [_words(text_of(drawn)) for drawn in items(quiet["drawn"])] == ["", "", ""]


def _words(drawn: str) -> str:
    return "".join(one for one in drawn if one.isalpha())
