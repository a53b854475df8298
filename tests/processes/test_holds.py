"""A message waits for every dialog and goes out within two seconds of its end, however it ends (P7)."""

import time
from collections.abc import Callable, Iterator

import pytest

from support.office import Office, opened_office
from support.waiting import until
from tidings.adapters.wire.published import Message, ShownMessage
from tidings.entrypoints.simulated.client import SimulatedHarness

pytestmark = pytest.mark.xdist_group("holds-office")

SOON_SECONDS = 2.0

Act = Callable[[SimulatedHarness], None]
PERMISSION: Act = SimulatedHarness.permission_dialog
QUESTION: Act = SimulatedHarness.question
FORM: Act = SimulatedHarness.elicitation
SUBAGENT: Act = SimulatedHarness.subagent_dialog
ALLOW: Act = SimulatedHarness.allow
DENY: Act = SimulatedHarness.deny
ESCAPE: Act = SimulatedHarness.escape
LONG: Act = SimulatedHarness.approve_long_command


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with opened_office() as opened:
        opened.arm()
        yield opened


def sent(office: Office, text: str) -> Message:
    return Message.model_validate_json(office.script("send", "api", "--json", "--", text).out)


def shown(office: Office, ref: str) -> ShownMessage:
    return ShownMessage.model_validate_json(office.script("show", ref, "--json").out)


@pytest.mark.parametrize(
    ("opens", "ends"),
    [
        pytest.param(PERMISSION, ALLOW, id="permission-allowed"),
        pytest.param(PERMISSION, DENY, id="permission-denied"),
        pytest.param(PERMISSION, ESCAPE, id="permission-escaped"),
        pytest.param(PERMISSION, LONG, id="long-command-approved"),
        pytest.param(QUESTION, ALLOW, id="question-answered"),
        pytest.param(QUESTION, ESCAPE, id="question-escaped"),
        pytest.param(FORM, ALLOW, id="form-filled"),
        pytest.param(FORM, DENY, id="form-declined"),
        pytest.param(SUBAGENT, ALLOW, id="subagent-allowed-after-main-stop"),
        pytest.param(SUBAGENT, DENY, id="subagent-denied-after-main-stop"),
    ],
)
def test_a_message_waits_for_the_dialog_and_no_longer(
    office: Office, opens: Act, ends: Act
) -> None:
    api = office.api
    api.wait_idle()
    opens(api)
    message = sent(office, "the API changed")
    assert (message.state, message.reason) == ("held", "target-awaiting-operator")
    requests = len(api.traces.requests())
    stays_held(office, message.ref, seconds=1.2)
    assert len(api.traces.requests()) == requests
    ended_at_ns = time.time_ns()
    ends(api)
    until(lambda: shown(office, message.ref).state == "delivered", 10, "the delivery")
    written_at_ns = office.app.post_office.view(message.ref).row.handoff_at_ns
    assert written_at_ns is not None
    assert 0 < (written_at_ns - ended_at_ns) / 1e9 <= SOON_SECONDS
    if ends is LONG:
        api.finish()
    until(lambda: shown(office, message.ref).evidence == "seen", 10, "the reading")


def stays_held(office: Office, ref: str, *, seconds: float) -> None:
    """For so long, longer than two looks of the resident, the message stays where it is."""
    ends_at = time.monotonic() + seconds
    while time.monotonic() < ends_at:
        assert shown(office, ref).state == "held"
