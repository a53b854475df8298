"""What becomes of a message that the real client keeps from its model (H 3, P12)."""

from collections.abc import Callable

import pytest

from conformance.clients import Client
from conformance.plain import document
from tidings.domain.messages.qualification import CONFORMING
from tidings.ports.codec import Document
from tidings.ports.tokens import Provider

pytestmark = [pytest.mark.conformance, pytest.mark.whole_list, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]


@pytest.fixture(scope="module")
def inbound(run_with_claude: RunScenario, claude: Client) -> Document:
    """One session whose client holds what comes in, and one whose client refuses it."""
    if claude.version not in CONFORMING[Provider.CLAUDE]:
        pytest.skip("such a session is no place to try a version, so its messages wait")
    return run_with_claude("inbound")


@pytest.mark.parametrize("word", ["hold", "refuse"])
def test_it_is_shown_and_ends_unseen_and_never_seen(inbound: Document, word: str) -> None:
    facts = document(inbound[word])
    assert document(facts["row"])["inbound"] == word
    assert document(facts["sent"])["state"] == "delivered"
    later = document(facts["later"])
    assert (later["state"], later["evidence"]) == ("delivered", "unseen")
    assert facts["asked"] == 0
