"""Push, push to all, notices and waking, between two living sessions (issue 5, D15, D26, D27, D34)."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from support.office import Office, Said, opened_office
from support.waiting import until
from tidings.adapters.wire.published import (
    MESSAGES,
    SESSION_LINES,
    Armed,
    Explained,
    Message,
    Pushed,
    PushError,
    ShownMessage,
)
from tidings.entrypoints.simulated.client import SimulatedHarness

pytestmark = pytest.mark.xdist_group("push-office")

JOIN = """
import sys
from tidings import Tidings
tidings = Tidings.open(sys.argv[1])
tidings.join("mortal").arm()
print("joined", flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with opened_office() as opened:
        yield opened


@pytest.fixture
def deaf(office: Office) -> Office:
    """Nobody hears."""
    for agent in (office.api, office.front):
        office.disarm(agent)
        agent.wait_idle()
    return office


@pytest.fixture
def armed(deaf: Office) -> Office:
    """Both hear everybody."""
    deaf.arm(deaf.api)
    deaf.arm(deaf.front)
    return deaf


def pushed(said: Said) -> Pushed:
    assert said.err == ""
    return Pushed.model_validate_json(said.out)


def push(office: Office, *words: str) -> Pushed:
    """A person at a terminal pushes."""
    return pushed(office.operator("push", *words))


def read(agent: SimulatedHarness, text: str) -> int:
    return agent.traces.times_read(f"| {text}")


def has_read(agent: SimulatedHarness, text: str) -> None:
    agent.wait_until(lambda _view: read(agent, text) == 1, f"{text} is read")


def stored(office: Office) -> int:
    return len(MESSAGES.validate_json(office.script("message", "list", "--json").out))


@pytest.mark.case("SP17", "SP22")
def test_an_unarmed_session_is_pushed_nothing_neither_at_once_nor_after_a_later_arm(
    deaf: Office,
) -> None:
    before = stored(deaf)
    said = deaf.operator("push", "api", "--json", "--", "too early")
    told = pushed(said)
    assert (said.code, told.receivers, told.messages, told.exit_code) == (5, 0, [], 5)
    assert [one.reason for one in told.refused] == ["target-not-armed"]
    assert stored(deaf) == before
    deaf.arm()
    push(deaf, "api", "--json", "--", "in time")
    has_read(deaf.api, "in time")
    assert read(deaf.api, "too early") == 0


@pytest.mark.case("SP8", "SP18", "SP21")
def test_an_armed_session_gets_the_push_and_no_other_one_does(armed: Office) -> None:
    said = armed.operator("push", "api", "--json", "--", "please rebase")
    told = pushed(said)
    (message,) = told.messages
    assert (said.code, told.kind, told.receivers, told.replayed) == (0, "push", 1, False)
    assert (message.ref, message.state) == (told.ref, "delivered")
    has_read(armed.api, "please rebase")
    assert read(armed.front, "please rebase") == 0
    assert armed.api.traces.times_read("typed at the operator's terminal") >= 1


def test_an_unknown_and_a_dead_target_are_told_apart_and_nothing_is_stored(armed: Office) -> None:
    mortal = subprocess.Popen(
        [sys.executable, "-c", JOIN, str(armed.state)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert mortal.stdout is not None
    assert mortal.stdout.readline() == "joined\n"
    mortal.kill()
    mortal.communicate(timeout=10)
    before = stored(armed)
    for name, code in (("nobody", 3), ("mortal", 9)):
        for verb in ("push", "notify"):
            said = armed.operator(verb, name, "--json", "--", "x")
            error = PushError.model_validate_json(said.err)
            assert (said.code, error.exit_code, error.receivers, said.out) == (code, code, 0, "")
    assert stored(armed) == before


@pytest.mark.case("SP10")
def test_a_blank_push_is_an_error_and_sends_nothing(armed: Office) -> None:
    before = stored(armed)
    for words in (["push", "api"], ["push", "--all"], ["notify", "api"], ["notify", "--all"]):
        for text in ("", "  ", "\n\t"):
            said = armed.operator(*words, "--json", "--", text)
            assert (said.code, PushError.model_validate_json(said.err).receivers) == (2, 0)
    assert armed.operator("push", "--all", "--ttl", "8d", "--", "x").code == 2
    assert armed.operator("push", "--", "to whom?").code == 2
    assert armed.operator("push", "api", "--all", "--", "to whom?").code == 2
    assert stored(armed) == before


@pytest.mark.case("SP9")
def test_a_push_to_all_counts_those_who_hear_it_and_nobody_is_no_error(armed: Office) -> None:
    for hears, text in ((2, "for two"), (1, "for one"), (0, "for nobody")):
        if hears < 2:
            armed.disarm((armed.front, armed.api)[1 - hears])
        said = armed.operator("push", "--all", "--json", "--", text)
        told = pushed(said)
        assert (said.code, told.receivers, len(told.messages)) == (0, hears, hears)
        assert {one.ref.partition("/")[0] for one in told.messages} <= {told.ref}
        for agent in (armed.api, armed.front)[:hears]:
            has_read(agent, text)
        assert (read(armed.api, text), read(armed.front, text)) == (hears > 0, hears == 2)
    assert armed.operator("push", "--all", "--", "x").out.startswith("no receivers: ")


def test_the_same_ref_again_answers_for_those_of_then_and_adds_nobody(armed: Office) -> None:
    armed.disarm(armed.front)
    words = ("--all", "--ref", "all-hands", "--json", "--", "stand-up at ten")
    first = push(armed, *words)
    has_read(armed.api, "stand-up at ten")
    armed.arm(armed.front)
    again = push(armed, *words)
    assert (first.receivers, again.receivers, again.replayed) == (1, 1, True)
    assert [one.ref for one in again.messages] == [one.ref for one in first.messages]
    armed_now = push(armed, "--all", "--json", "--", "to both of them")
    for ref in (armed_now.ref, armed_now.ref[:6]):
        listed = MESSAGES.validate_json(armed.script("message", "thread", ref, "--json").out)
        assert [one.ref for one in listed] == [one.ref for one in armed_now.messages]
    shown = armed.script("show", armed_now.ref)
    assert (shown.code, f"`tidings message thread {armed_now.ref}`" in shown.err) == (4, True)
    other = push(armed, *words[:-1], "stand-up at eleven")
    assert (other.receivers, other.exit_code) == (0, 1)
    assert [one.reason for one in other.refused] == ["ref-envelope-mismatch"]
    assert (read(armed.api, "stand-up at ten"), read(armed.front, "stand-up at ten")) == (1, 0)


def test_an_agent_pushes_nothing_and_a_scripts_words_go_out_as_a_scripts(armed: Office) -> None:
    before = stored(armed)
    for words in ("api", "--all"):
        said = armed.inside(armed.front, f"push {words} --json -- obey")
        told = pushed(said)
        assert (said.code, told.receivers) == (5, 0)
        assert [one.reason for one in told.refused] == ["push-from-agent"]
    assert stored(armed) == before
    assert pushed(armed.script("push", "api", "--json", "--", "it broke")).kind == "automation"
    has_read(armed.api, "it broke")


def test_a_notice_waits_for_the_next_turn_and_is_shown_as_what_it_is(armed: Office) -> None:
    requests = len(armed.api.traces.requests())
    said = armed.inside(armed.front, "notify api --json -- the build is green")
    (notice,) = pushed(said).messages
    assert (said.code, notice.kind, notice.state, notice.reason) == (
        *(0, "notice", "held"),
        "awaiting-turn",
    )
    shown = armed.script("show", notice.short)
    assert shown.out.splitlines()[0] == f"{notice.short}  held  api · notice"
    whole = ShownMessage.model_validate_json(armed.script("show", notice.ref, "--json").out)
    assert (whole.reason, whole.source_agent) == (
        "awaiting-turn",
        armed.activation("front").agent_uid,
    )
    explained = armed.script("message", "explain", notice.ref, "--json").out
    assert Explained.model_validate_json(explained).stage == "held"
    (line,) = (
        one
        for one in SESSION_LINES.validate_json(armed.script("ls", "--json").out)
        if one.address == "api"
    )
    assert (line.waiting, line.notices, line.state) == (1, 1, "idle")
    assert "1 (1 notice)" in armed.script("ls").out
    assert len(armed.api.traces.requests()) == requests
    push(armed, "api", "--json", "--", "now rebase")
    has_read(armed.api, "now rebase")
    has_read(armed.api, "the build is green")
    frames = [one.ref for one in in_order_of_writing(armed, notice.ref)]
    assert frames[0] == notice.ref
    assert armed.api.traces.times_read("a notice from front") >= 1


def in_order_of_writing(office: Office, *refs: str) -> list[Message]:
    """The notice and the newest message, by when their hand-off began."""
    rows = MESSAGES.validate_json(office.script("message", "list", "--json").out)
    found = [one for one in rows if one.ref in refs or one is rows[-1]]
    return sorted(found, key=lambda one: one.handoff_at or "")


def test_a_notice_to_all_waits_at_each_of_them_but_its_own_sender(armed: Office) -> None:
    told = pushed(armed.inside(armed.front, "notify --all --json -- lunch"))
    assert [one.target_agent for one in told.messages] == [armed.activation("api").agent_uid]
    both = pushed(armed.operator("notify", "--all", "--json", "--", "coffee"))
    assert (both.receivers, {one.reason for one in both.messages}) == (2, {"awaiting-turn"})
    push(armed, "--all", "--json", "--", "back to work")
    for agent in (armed.api, armed.front):
        has_read(agent, "coffee")
        has_read(agent, "back to work")
    assert (read(armed.api, "lunch"), read(armed.front, "lunch")) == (1, 0)


def test_a_notice_wakes_only_where_that_was_both_armed_and_asked_for(armed: Office) -> None:
    asked = pushed(armed.operator("notify", "api", "--wake", "--json", "--", "asked only"))
    assert asked.messages[0].reason == "awaiting-turn"
    said = armed.operator("arm", "api", "--kind", "notice", "--wake", "--json")
    assert Armed.model_validate_json(said.out).scope.wake is True
    assert armed.script("status", "api").out == (
        "api is armed and hears everyone; only notice; a notice may wake it\n"
    )
    armed_only = pushed(armed.operator("notify", "api", "--json", "--", "armed only"))
    has_read(armed.api, "asked only")
    assert armed_only.messages[0].reason == "awaiting-turn"
    refusal = push(armed, "api", "--json", "--", "no push here")
    assert [one.reason for one in refusal.refused] == ["target-not-armed"]
    both = pushed(armed.script("notify", "api", "--wake", "--json", "--", "both"))
    has_read(armed.api, "both")
    has_read(armed.api, "armed only")
    assert both.receivers == 1


def test_a_notice_that_is_cancelled_and_retried_stays_a_notice(armed: Office) -> None:
    words = ("notify", "api", "--wake", "--json", "--", "once more")
    (first,) = pushed(armed.operator(*words)).messages
    assert armed.operator("message", "cancel", first.ref).code == 0
    said = armed.operator("message", "retry", first.ref, "--json")
    again = Message.model_validate_json(said.out)
    assert (again.kind, again.reason) == ("notice", "awaiting-turn")
    envelope = armed.app.post_office.view(again.ref).envelope
    assert (envelope.wishes.wake, envelope.wishes.retry_of) == (True, first.ref)
    push(armed, "api", "--json", "--", "on it goes")
    has_read(armed.api, "once more")


def test_send_takes_the_word_too_though_a_message_begins_a_turn_anyway(armed: Office) -> None:
    said = armed.script("send", "api", "--wake", "--json", "--", "up you get")
    assert Message.model_validate_json(said.out).kind == "automation"
    has_read(armed.api, "up you get")


@pytest.mark.case("SP27")
def test_where_consent_or_presence_cannot_be_read_nothing_is_stored_and_the_code_is_seven(
    armed: Office,
) -> None:
    before = stored(armed)
    mark = armed.state / "consent" / f"{armed.activation('api').session_key}.json"
    kept = mark.read_bytes()
    mark.write_bytes(b"garbage")
    try:
        for words in (["push", "api"], ["push", "--all"], ["notify", "--all"]):
            said = armed.operator(*words, "--json", "--", "x")
            told = pushed(said)
            assert (said.code, told.receivers, told.messages) == (7, 0, [])
            assert [one.reason for one in told.refused] == ["consent-unreadable"]
    finally:
        mark.write_bytes(kept)
    assert stored(armed) == before
    until(lambda: armed.ready() == {"api", "front"}, 15, "both residents")
