"""What a real client's model reads of the lines that its plugin's monitor prints (D17, H 4, H 11)."""

from collections.abc import Callable

import pytest

from conformance.plain import document, items, text_of
from tidings.ports.codec import Document

pytestmark = [pytest.mark.conformance, pytest.mark.whole_list, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]


@pytest.fixture(scope="module")
def lines(run_with_claude: RunScenario) -> Document:
    """A session whose client names no version: no byte goes to its socket."""
    return run_with_claude("lines")


def test_a_session_of_an_unknown_version_is_reached_by_its_monitors_lines(lines: Document) -> None:
    row = document(lines["row"])
    assert (row["reached_by"], row["qualification"]) == ("monitor-line", "unqualified")


def test_a_short_message_is_one_line_and_its_reading_is_proved(lines: Document) -> None:
    seen = document(lines["seen"])
    assert (seen["state"], seen["reason"]) == ("delivered", "monitor-line-printed")
    assert document(lines["short"])["brought_by"] == 1


def test_lines_that_come_together_are_each_proved_to_be_read(lines: Document) -> None:
    assert [document(one)["transport"] for one in items(lines["burst"])] == ["monitor-line"] * 4
    text = "\n".join(text_of(prompt) for prompt in items(lines["prompts"]))
    assert [text.count(f"| number {number}") for number in range(4)] == [1] * 4


def test_a_long_message_rings_once_and_is_pulled_whole(lines: Document) -> None:
    waiting, pulled = document(lines["waiting"]), document(lines["pulled"])
    assert (waiting["state"], waiting["reason"]) == ("held", "awaiting-pull")
    assert (pulled["state"], pulled["reason"]) == ("delivered", "target-self-claim")
    read = text_of(lines["read"])
    assert all(f"| {line.strip()}" in read for line in text_of(lines["text"]).splitlines())
    assert document(lines["doorbell"])["brought_by"] == 1
    assert lines["dialogs"] == 0
