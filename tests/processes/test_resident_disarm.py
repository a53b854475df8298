"""Consent withdrawn under fire: once ``disarm`` has returned, no delivery begins (P3, D8)."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.office import Office, opened_office
from support.residents import resident_of
from support.waiting import until
from tidings.adapters.wire.published import Message, ShownMessage
from tidings.domain.messages.delivery import OPEN_STATES
from tidings.ports.messages import MessageRow

pytestmark = [
    pytest.mark.xdist_group("disarm-office"),
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc"),
]

ROUNDS = 6
MORE = 20
"""Refusals that are waited for after each disarm: the storm goes on, and nothing gets through."""
TESTS = str(Path(__file__).parents[1])


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with opened_office() as opened:
        yield opened


@pytest.fixture
def storm(office: Office) -> Iterator[subprocess.Popen[bytes]]:
    """A sender that never stops; it is ended with its standard input."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": TESTS, **office.stage.environment}
    with subprocess.Popen(
        [sys.executable, "-m", "support.storm", str(count_of(office))],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as sender:
        yield sender
        sender.communicate(timeout=20)


def count_of(office: Office) -> Path:
    return office.stage.folder / "refusals"


def refusals(office: Office) -> int:
    """How many messages of the storm were refused; a torn read counts as none."""
    text = count_of(office).read_text()
    return int(text) if text else 0


def written(office: Office) -> list[MessageRow]:
    """Every message whose write began."""
    rows = office.app.ports.store.view(
        lambda tx: tx.recent(after_seq=0, limit=100_000), wait_seconds=10
    )
    return [row for row in rows if row.handoff_at_ns is not None]


def one_round(office: Office) -> None:
    """Arms, lets some frames through, disarms, and sees that nothing follows."""
    before = len(written(office))
    office.arm()
    until(lambda: len(written(office)) > before, 10, "frames of this round")
    office.disarm()
    returned_at_ns = time.time_ns()
    marked = written(office)
    assert max(row.handoff_at_ns or 0 for row in marked) < returned_at_ns
    office.api.wait_until(lambda view: view.frames >= len(marked), "all frames")
    goal = refusals(office) + MORE
    until(lambda: refusals(office) >= goal, 10, "more of the storm")
    assert len(written(office)) == len(marked)
    assert office.api.view().frames == len(marked)


@pytest.mark.case("SM15")
def test_after_disarm_has_returned_no_delivery_begins(
    office: Office, storm: subprocess.Popen[bytes]
) -> None:
    assert storm.poll() is None
    for _ in range(ROUNDS):
        one_round(office)
    assert all(row.state == "delivered" for row in written(office))


def test_what_waited_when_consent_was_withdrawn_ends_and_a_new_arm_frees_none_of_it(
    office: Office,
) -> None:
    office.arm()
    office.api.wait_idle()
    office.api.permission_dialog()
    said = office.script("send", "api", "--json", "--", "from before")
    held = Message.model_validate_json(said.out)
    assert held.state == "held"
    office.disarm()
    office.arm()
    office.api.deny()
    view = end_of(office, held.ref)
    assert (view.state, view.reason, view.exit_code) == ("refused", "consent-withdrawn", 5)
    assert office.api.traces.times_read("from before") == 0
    office.disarm()


@pytest.mark.case("SM17")
def test_a_mark_that_turned_to_garbage_stops_deliveries_like_a_no(office: Office) -> None:
    office.arm()
    office.api.wait_idle()
    office.api.permission_dialog()
    said = office.script("send", "api", "--json", "--", "not on this mark")
    held = Message.model_validate_json(said.out)
    resident = resident_of(office.api)
    mark = office.state / "consent" / f"{office.activation('api').session_key}.json"
    before = mark.read_bytes()
    mark.write_bytes(b"{garbage")
    office.api.deny()
    until(lambda: shown(office, held.ref).reason == "target-consent-unreadable", 10, "the hold")
    refused = office.script("send", "api", "--json", "--", "nor is this")
    assert refused.code == 7
    assert office.inside(office.api, "should-arm").code == 1
    assert office.api.traces.times_read("not on this mark") == 0
    assert resident_of(office.api) == resident
    mark.write_bytes(before)
    until(lambda: shown(office, held.ref).state == "delivered", 10, "delivery on the good mark")
    office.disarm()


def shown(office: Office, ref: str) -> ShownMessage:
    return ShownMessage.model_validate_json(office.script("show", ref, "--json").out)


def end_of(office: Office, ref: str) -> ShownMessage:
    """The message once it has ended."""
    until(lambda: shown(office, ref).state not in OPEN_STATES, 10, "the end of the message")
    return shown(office, ref)
