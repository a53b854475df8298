"""The verbs between two living sessions: text, JSON, exit codes (design page 1, D35)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.office import TIDINGS, Office, opened_office
from tidings.adapters.wire.published import (
    SELF,
    SESSION_LINES,
    Armed,
    Disarmed,
    Error,
    Message,
    OutsideSelf,
    Refusal,
    SentMessage,
    SessionSelf,
    ShownMessage,
    Status,
    UnregisteredSelf,
)
from tidings.entrypoints.simulated.client import SimulatedHarness

pytestmark = pytest.mark.xdist_group("cli-office")


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with opened_office() as opened:
        yield opened


@pytest.fixture
def armed(office: Office) -> Iterator[Office]:
    """``api`` hears everybody during one test."""
    office.arm()
    yield office
    office.disarm()


def test_ls_shows_both_in_a_table_and_as_json(office: Office) -> None:
    lines = office.script("ls").out.splitlines()
    assert lines[0].split() == [
        *("ADDRESS", "HARNESS", "FOLDER", "STATE", "HEARS", "REACHED", "WAITING")
    ]
    assert [line.split()[:3] for line in lines[1:]] == [
        ["api", "claude", "shop-api"],
        ["front", "claude", "shop-front"],
    ]
    said = office.script("ls", "--json")
    rows = SESSION_LINES.validate_json(said.out)
    assert said.code == 0
    assert [(row.address, row.consent, row.registration) for row in rows] == [
        ("api", "none", "ready"),
        ("front", "none", "ready"),
    ]
    assert rows[0].pid == office.api.pid


def test_whoami_tells_three_kinds_of_caller_apart(office: Office) -> None:
    inside = SELF.validate_json(office.inside(office.front, "whoami --json").out)
    assert isinstance(inside, SessionSelf)
    assert (inside.who, inside.pid) == ("front", office.front.pid)
    script = SELF.validate_json(office.script("whoami", "--json").out)
    assert isinstance(script, OutsideSelf)
    assert script.kind == "script"
    terminal = SELF.validate_json(office.terminal("whoami", "--json").out)
    assert isinstance(terminal, OutsideSelf)
    assert terminal.kind == "terminal"
    assert "/dev/pts/" in terminal.who


def test_a_variable_that_names_another_process_is_ignored_and_said_so(office: Office) -> None:
    said = office.inside(office.front, "whoami && true")
    assert "ignored" not in said.out
    ran = office.front.command(f"TIDINGS_SESSION_PID={office.api.pid} {whoami()}")
    assert ran.output.startswith("front: ")
    assert "TIDINGS_SESSION_PID names another process and was ignored" in ran.output


def whoami() -> str:
    return f"{' '.join(TIDINGS)} whoami"


def test_unarmed_a_message_is_refused_and_nothing_is_stored(office: Office) -> None:
    said = office.inside(office.front, "send api -- hello")
    assert said.code == 5
    assert said.out.startswith("refused  target-not-armed: ")
    assert said.out.count("\n") == 1
    refusal = Refusal.model_validate_json(office.script("send", "api", "--json", "--", "x").out)
    assert refusal.reason == "target-not-armed"
    assert office.app.post_office.business(office.activation("api").agent_uid).waiting == 0


def test_a_message_between_agents_is_delivered_seen_and_shown(armed: Office) -> None:
    said = armed.inside(
        armed.front, "send api --wait seen --timeout 8s --json -- one for the record"
    )
    message = Message.model_validate_json(said.out)
    assert (said.code, message.state, message.evidence) == (0, "delivered", "seen")
    assert (message.kind, message.transport) == ("agent", "harness-socket")
    assert armed.api.traces.times_read("one for the record") == 1
    shown = armed.script("show", message.short)
    assert shown.code == 0
    assert shown.out.splitlines()[0].startswith(f"{message.short}  delivered  api · written ")
    assert "seen" in shown.out
    whole = ShownMessage.model_validate_json(armed.script("show", message.ref, "--json").out)
    assert [event.event for event in whole.events][:1] == ["accepted"]
    assert "one for the record" not in armed.script("show", message.ref, "--json").out


@pytest.mark.case("M124")
def test_no_json_of_a_message_holds_its_text(armed: Office) -> None:
    said = armed.script("send", "api", "--json", "--", "a very secret word")
    message = Message.model_validate_json(said.out)
    assert "secret" not in said.out
    assert "secret" not in armed.script("show", message.ref, "--json").out


@pytest.mark.case("M100", "M101")
def test_a_script_is_automation_and_a_terminal_is_a_push(armed: Office) -> None:
    script = Message.model_validate_json(
        armed.script("send", "api", "--json", "--", "it broke").out
    )
    assert (script.kind, script.source_agent) == ("automation", None)
    said = armed.terminal("send", "api", "--json", "--", "please look")
    push = Message.model_validate_json(said.out)
    assert (push.kind, push.source_agent) == ("push", None)


def test_the_same_ref_is_answered_from_the_store_and_never_sent_again(armed: Office) -> None:
    words = ("send", "api", "--ref", "build-17", "--json", "--", "the build broke")
    first = armed.script(*words)
    armed.api.wait_until(lambda view: armed.api.traces.times_read("the build broke"), "the frame")
    armed.api.wait_idle()
    again = armed.script(*words)
    one, other = (Message.model_validate_json(said.out) for said in (first, again))
    assert (one.ref, one.conversation_ref, one.accepted_at) == (
        other.ref,
        other.conversation_ref,
        other.accepted_at,
    )
    assert armed.api.traces.times_read("the build broke") == 1
    said = armed.script("send", "api", "--ref", "build-17", "--json", "--", "something else")
    refusal = Refusal.model_validate_json(said.out)
    assert (said.code, refusal.reason, refusal.earlier_ref) == (
        1,
        "ref-envelope-mismatch",
        "build-17",
    )


def test_a_body_comes_from_words_a_file_or_a_pipe(armed: Office, tmp_path: Path) -> None:
    file = tmp_path / "note"
    file.write_text("from a file\nof two lines\n")
    assert armed.script("send", "api", "--file", str(file)).code == 0
    assert armed.script("send", "api", stdin=b"from a pipe\n").code == 0
    assert armed.script("send", "api", "--file", "-", stdin=b"from a dash\n").code == 0
    assert armed.script("send", "api", "--", "--json", "is", "text").code == 0
    texts = ("| from a file\n| of two lines", "| from a pipe", "| from a dash", "| --json is text")
    armed.api.wait_until(lambda view: all(map(armed.api.traces.times_read, texts)), "all four")
    assert [armed.api.traces.times_read(text) for text in texts] == [1] * 4


def test_a_text_that_is_too_long_or_no_utf8_is_a_usage_error(armed: Office) -> None:
    for said in (
        armed.script("send", "api", stdin=b"x" * 65_537),
        armed.script("send", "api", stdin=b"x" * 70_000),
        armed.script("send", "api", stdin=b"caf\xe9"),
        armed.script("send", "api", "--", b"caf\xe9"),
        armed.script("send", "api", "--", "  "),
        armed.script("send", "api", stdin=b""),
    ):
        assert said.code == 2, said


@pytest.mark.case("SP25")
def test_the_longest_text_is_accepted_and_its_head_is_shown(armed: Office) -> None:
    longest = b"the head of it" + b"x" * (65_536 - 14)
    said = armed.script("send", "api", "--wait", "seen", "--timeout", "8s", "--json", stdin=longest)
    message = Message.model_validate_json(said.out)
    assert (said.code, message.state) == (0, "delivered")
    stored = armed.app.post_office.view(message.ref).envelope.payload
    assert stored.encode() == longest
    assert armed.api.traces.times_read(f"tidings show {message.short}") == 1


def test_a_message_to_oneself_is_refused_unless_it_is_meant(office: Office) -> None:
    office.arm(office.front)
    said = office.inside(office.front, "send front --json -- hello me")
    assert (said.code, Refusal.model_validate_json(said.out).reason) == (5, "self-send")
    assert office.inside(office.front, "send front --self -- hello me").code == 0
    office.disarm(office.front)


def test_a_wait_that_ends_is_code_six_and_the_message_lives_on(armed: Office) -> None:
    armed.api.wait_idle()
    armed.api.busy()
    said = armed.script("send", "api", "--wait", "seen", "--timeout", "1s", "--json", "--", "later")
    message = Message.model_validate_json(said.out)
    assert (said.code, message.exit_code) == (6, 0)
    armed.api.finish()
    armed.api.wait_until(lambda view: armed.api.traces.times_read("| later") == 1)
    armed.api.wait_idle()


def test_a_script_that_waits_for_an_answer_is_told_where_a_later_one_is_kept(armed: Office) -> None:
    words = ("send", "api", "--wait", "answered", "--timeout", "1s", "--json", "--", "well?")
    said = armed.script(*words)
    message = SentMessage.model_validate_json(said.out)
    assert (said.code, message.answer) == (6, None)
    assert len(bytes.fromhex(message.reply_box or "")) == 16
    armed.api.wait_idle()


def test_an_agent_answers_with_the_verb_once(armed: Office) -> None:
    assert armed.operator("reset", "front").code == 0  # a no of an earlier test refuses answers too
    sent = Message.model_validate_json(
        armed.inside(armed.front, "send api --wait seen --timeout 8s --json -- all green?").out
    )
    armed.api.wait_idle()
    said = armed.inside(armed.api, f"reply {sent.short} --json -- yes, all of it")
    answer = Message.model_validate_json(said.out)
    assert (said.code, answer.reply_to, answer.state) == (0, sent.ref, "delivered")
    armed.front.wait_until(lambda view: armed.front.traces.times_read("yes, all of it") == 1)
    shown = ShownMessage.model_validate_json(armed.script("show", sent.ref, "--json").out)
    assert (shown.evidence, shown.answer) == ("answered", "yes, all of it")
    assert "| yes, all of it" in armed.script("show", sent.ref).out
    again = armed.inside(armed.api, f"reply {sent.short} --json -- and once more")
    assert Refusal.model_validate_json(again.out).reason == "reply-already-committed"
    assert again.code == 1
    foreign = armed.script("reply", sent.short, "--json", "--", "not mine")
    error = Error.model_validate_json(foreign.err)
    assert (foreign.code, error.reason) == (5, "source-not-yours")


def test_arm_status_and_disarm_say_what_holds(office: Office) -> None:
    said = office.inside(office.api, "arm --from front --kind agent --for 1h --json")
    armed = Armed.model_validate_json(said.out)
    front = f"agent:{office.activation('front').agent_uid}"
    assert (armed.address, armed.scope.senders, armed.scope.kind) == ("api", [front], ["agent"])
    status = Status.model_validate_json(office.script("status", "api", "--json").out)
    assert (status.state, status.generation, status.scope) == (
        "armed",
        armed.generation,
        armed.scope,
    )
    assert {signal.signal: signal.verdict for signal in status.signals} == {
        "process": "alive",
        "socket": "alive",
    }
    text = office.script("status", "api", "--why").out
    assert text.startswith("api is armed and hears front; only agent; until ")
    assert "process: alive" in text
    disarmed = Disarmed.model_validate_json(office.inside(office.api, "disarm --json").out)
    assert (disarmed.barrier, disarmed.generation) == ("passed", armed.generation + 1)
    assert disarmed.path == armed.path
    assert Path(armed.path).is_file()
    assert office.script("status", "api").out == "api is disarmed and hears nothing\n"
    assert office.script("disarm", "api").code == 0


def test_should_arm_answers_silently(office: Office) -> None:
    def asked(agent: SimulatedHarness, words: str = "") -> tuple[int, str]:
        said = office.inside(agent, f"should-arm{words}")
        return said.code, said.out + said.err

    office.arm()
    assert asked(office.api) == (0, "")
    assert asked(office.front) == (1, "")
    assert asked(office.api, " --json") == (1, "")
    office.disarm()
    assert asked(office.api) == (1, "")
    outside = office.script("should-arm")
    assert (outside.code, outside.out, outside.err) == (1, "", "")


def test_an_agent_changes_its_own_consent_only(office: Office) -> None:
    for verb in ("arm", "disarm"):
        said = office.inside(office.front, f"{verb} api --json")
        error = Error.model_validate_json(said.err)
        assert (said.code, error.reason) == (5, f"{verb}-not-yours")
    assert office.inside(office.front, "arm front").code == 0
    assert office.inside(office.front, "disarm front").code == 0


def test_a_session_that_nobody_registered_has_no_source(office: Office) -> None:
    nested = SimulatedHarness(
        home=office.stage.folder / "home-without-hooks",  # none of which could adopt it
        cwd=office.stage.folder / "nested",
        name="nested",
        environment={"TIDINGS_HOME": str(office.state)},
    )
    with nested:
        for words in ("send api --json -- hello", "arm --json", "disarm --json", "status --json"):
            said = office.inside(nested, words)
            error = Error.model_validate_json(said.err)
            assert (said.code, error.reason) == (5, "source-not-registered")
        who = SELF.validate_json(office.inside(nested, "whoami --json").out)
        assert isinstance(who, UnregisteredSelf)
        assert office.inside(nested, "should-arm").code == 1
    assert office.ready() == {"api", "front"}


def test_a_hostile_sender_is_an_error_that_grants_nothing(office: Office) -> None:
    said = office.operator("arm", "api", "--from", "\x1b[31mfront\nx", "--json")
    assert said.code == 3
    assert "\x1b" not in said.err
    said = office.operator("arm", "api", "--from", "\x1b[31mfront\nx")
    assert (said.code, said.err.count("\n")) == (3, 1)
    assert "\x1b" not in said.err
    assert office.operator("arm", "api", "--kind", "gossip").code == 2
    assert office.operator("arm", "api", "--for", "0s").code == 2
    assert office.script("status", "api").out == "api is disarmed and hears nothing\n"


def test_a_consent_record_that_is_unreadable_can_still_be_disarmed(office: Office) -> None:
    run = office.activation("api")
    record = office.state / "sessions" / f"{run.session_key}.json"
    before = record.read_bytes()
    office.arm()
    record.write_bytes(b"garbage")
    try:
        assert office.operator("arm", "api").code == 7
        assert office.script("status", "api").code == 0
        assert office.script("disarm", "api").code == 0
    finally:
        record.write_bytes(before)
    assert office.script("status", "api").out == "api is disarmed and hears nothing\n"
