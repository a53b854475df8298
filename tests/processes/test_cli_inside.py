"""Asking, pulling, waiting and naming a source from inside living sessions (D4, D17, D22)."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.office import Office, opened_office
from support.waiting import until
from tidings.adapters.wire.published import (
    Error,
    Message,
    PulledMessage,
    Refusal,
    SentMessage,
    ShownMessage,
    Waited,
)

pytestmark = pytest.mark.xdist_group("cli-inside")


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with opened_office() as opened:
        yield opened


@pytest.fixture
def armed(office: Office) -> Iterator[Office]:
    """``api`` hears everybody during one test."""
    office.arm()
    yield office
    office.api.wait_idle()
    office.disarm()


@pytest.mark.case("M121", "M122", "R310")
def test_an_agent_may_name_itself_as_the_source_and_nobody_else(armed: Office) -> None:
    own = armed.inside(armed.front, "send api --source front --json -- as myself")
    message = Message.model_validate_json(own.out)
    assert (own.code, own.err) == (0, "")
    assert message.source_agent == armed.activation("front").agent_uid
    said = armed.inside(armed.front, "send api --ref foreign --source api --json -- as another")
    error = Error.model_validate_json(said.err)
    assert (said.code, said.out, error.reason) == (5, "", "source-not-yours")
    assert armed.script("show", "foreign").code == 3


@pytest.mark.case("M122")
@pytest.mark.parametrize("options", ["", "--source front"])
def test_a_caller_that_cannot_be_judged_is_no_source_and_no_script_either(
    armed: Office, options: str
) -> None:
    key = armed.activation("front").session_key
    record = armed.state / "sessions" / f"{key}.json"
    whole = record.read_bytes()
    record.write_bytes(b"{broken")
    try:
        said = armed.inside(armed.front, f"send api --ref unjudged {options} --json -- as whom?")
    finally:
        record.write_bytes(whole)
    error = Error.model_validate_json(said.err)
    assert (said.code, said.out, error.reason) == (5, "", "source-not-registered")
    assert armed.script("show", "unjudged").code == 3


@pytest.mark.case("M100", "M101")
def test_from_outside_no_source_can_be_borrowed_and_an_unknown_one_never_falls_back(
    armed: Office,
) -> None:
    said = armed.script(
        "send", "api", "--ref", "borrowed", "--source", "front", "--json", "--", "x"
    )
    assert (said.code, Error.model_validate_json(said.err).reason) == (5, "source-not-yours")
    for outcome in (
        armed.script("send", "api", "--ref", "borrowed", "--source", "frnot", "--", "x"),
        armed.inside(armed.front, "send api --ref borrowed --source frnot -- x"),
    ):
        assert (outcome.code, outcome.out) == (3, "")
    assert armed.script("show", "borrowed").code == 3


def test_a_script_asks_and_the_models_own_answer_comes_back_to_it(armed: Office) -> None:
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(
            armed.script, "ask", "api", "--timeout", "30s", "--json", "--", "which port?"
        )
        armed.api.wait_until(lambda view: armed.api.traces.times_read("which port?"), "the frame")
        armed.api.wait_idle()
        armed.api.answer("8080")
        said = asking.result(timeout=40)
    asked = SentMessage.model_validate_json(said.out)
    assert (said.code, asked.answer, asked.evidence) == (0, "8080", "answered")
    shown = ShownMessage.model_validate_json(armed.script("show", asked.ref, "--json").out)
    assert shown.answer == "8080"
    box = asked.reply_box or ""
    assert armed.script("inbox", "--box", box).out == "nothing waits\n"


def test_reply_to_is_reply_and_names_the_asker_only(armed: Office) -> None:
    asked = Message.model_validate_json(
        armed.inside(armed.front, "send api --json -- which colour?").out
    )
    until(
        lambda: (
            Message.model_validate_json(
                armed.script("message", "status", asked.ref, "--json").out
            ).state
            == "delivered"
        ),
        15,
        "delivery",
    )
    wrong = armed.inside(armed.api, f"send api --reply-to {asked.ref} --json -- red")
    assert Refusal.model_validate_json(wrong.out).reason == "invalid-explicit-reply-correlation"
    assert armed.inside(armed.api, f"send front --reply-to {asked.ref} --ttl 1h -- red").code == 2
    right = armed.inside(armed.api, f"send front --reply-to {asked.ref} --json -- red")
    answer = Message.model_validate_json(right.out)
    assert (right.code, answer.reply_to) == (0, asked.ref)


def test_a_session_has_an_inbox_and_a_script_has_none(armed: Office) -> None:
    assert armed.script("inbox").code == 2
    front = armed.inside(armed.front, "inbox")
    assert (front.code, front.out) == (0, "nothing waits\n")


def test_what_is_sent_for_the_end_of_the_turn_waits_for_it(armed: Office) -> None:
    armed.api.busy(60)
    sent = Message.model_validate_json(
        armed.script("send", "api", "--when", "turn-end", "--json", "--", "no hurry").out
    )
    assert (sent.state, sent.reason) == ("held", "when")
    armed.api.finish()
    armed.api.wait_until(lambda view: armed.api.traces.times_read("no hurry"), "the frame")
    armed.api.wait_idle()


def test_waiting_for_a_session_ends_as_it_gets_there(armed: Office) -> None:
    armed.api.wait_idle()
    idle = armed.script("wait", "api", "--until", "idle", "--timeout", "20s", "--json")
    assert (idle.code, Waited.model_validate_json(idle.out).reached) == (0, True)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(
            armed.script, "wait", "api", "--until", "needs-you", "--timeout", "20s"
        )
        armed.api.question()
        said = waiting.result(timeout=40)
    assert (said.code, said.out) == (0, "api is needs-you\n")
    armed.api.escape()


def test_a_session_pulls_what_waits_and_it_is_never_pushed_as_well(armed: Office) -> None:
    armed.api.wait_idle()
    sent = Message.model_validate_json(
        armed.script("send", "api", "--when", "idle", "--json", "--", "take me").out
    )
    assert sent.state == "held"
    said = armed.inside(armed.api, "inbox --json")
    pulled = PulledMessage.model_validate_json(said.out)
    assert (pulled.ref, pulled.text, pulled.kind) == (sent.ref, "take me", "automation")
    assert armed.inside(armed.api, "inbox").out == "nothing waits\n"
    stored = Message.model_validate_json(armed.script("message", "status", sent.ref, "--json").out)
    assert (stored.state, stored.reason) == ("delivered", "target-self-claim")
    assert armed.api.traces.times_read("| take me") == 0


def test_an_agent_may_not_run_setup(office: Office) -> None:
    """It adds rules for agents; one that left its harness behind is no better (D9)."""
    settings = Path(office.stage.environment["HOME"]) / ".claude"
    before = sorted(settings.rglob("*.json"))
    said = office.inside(office.front, "setup --yes --json")
    assert (said.code, Error.model_validate_json(said.err).reason) == (5, "setup-from-agent")
    left = office.script("setup", "--yes", "--json", CLAUDECODE="1")
    assert (left.code, Error.model_validate_json(left.err).reason) == (5, "setup-from-agent")
    assert sorted(settings.rglob("*.json")) == before
