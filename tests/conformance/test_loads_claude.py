"""Nothing is lost or overtaken in a burst, and a disarm ends even a storm at once (P3, P6, P11)."""

from collections.abc import Callable

import pytest

from conformance.plain import document, items, text_of
from tidings.ports.codec import Document

pytestmark = [pytest.mark.conformance, pytest.mark.whole_list, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]
BURST = 40


@pytest.fixture(scope="module")
def storm(run_with_claude: RunScenario) -> Document:
    """Two programs send until they are refused; the session is disarmed in the middle of it."""
    return run_with_claude("storm")


@pytest.fixture(scope="module")
def burst(run_with_claude: RunScenario) -> Document:
    """One program sends 40 messages as fast as it can."""
    return run_with_claude("burst")


def test_of_40_messages_in_a_burst_all_are_written_and_none_overtakes(burst: Document) -> None:
    heard = [int(text_of(one).removeprefix("north ")) for one in items(burst["heard"])]

    assert len(items(document(burst["program"])["sent"])) == BURST
    assert burst["states"] == ["delivered"]
    assert heard == sorted(set(heard))


def test_of_40_messages_in_a_burst_none_is_lost(burst: Document) -> None:
    """The client takes 30 of one sender at once and one more every 2 s; ours is paced to that (D18)."""
    assert burst["heard"] == [f"north {number}" for number in range(BURST)]


def test_nothing_is_written_after_a_disarm_returned_in_a_storm(storm: Document) -> None:
    """The senders are refused from then on, and what still waited ends as withdrawn (D6, D8)."""
    assert storm["code"] == 0
    assert storm["late"] == []
    assert storm["refused"] == [["target-not-armed"], ["target-not-armed"]]
    assert set(map(text_of, items(storm["states"]))) == {
        "delivered provider-pipe-full-frame",
        "refused consent-withdrawn",
    }


def test_only_what_was_written_before_a_disarm_is_heard_in_order_and_once(storm: Document) -> None:
    refs = [text_of(ref) for ref in items(storm["heard_refs"])]
    heard = [text_of(one) for one in items(storm["heard"])]

    assert len(heard) == len(refs) == len(set(refs)) > 0
    assert set(refs) <= set(map(text_of, items(storm["written"])))
    for sender in ("north", "south"):
        numbers = [int(one.split()[1]) for one in heard if one.startswith(sender)]
        assert numbers == sorted(numbers)
