"""The verbs that write, ask, pull, list and settle messages, each in a real process (page 1, D20, D22)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.office import TIDINGS, Said, run
from support.waiting import until
from tidings import InboxMessage, Member, Receipt, Refused, Tidings
from tidings.adapters.wire.published import (
    MESSAGES,
    Error,
    Explained,
    LogLine,
    Message,
    PulledMessage,
    Refusal,
    SentMessage,
    Waited,
)
from tidings.domain.messages.reasons import CATALOGUE
from tidings.entrypoints.assembly import open_application


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A state folder with ``api`` in it: this very process, armed for everybody."""

    folder: Path
    tidings: Tidings
    api: Member

    @property
    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.folder), "TIDINGS_HOME": str(self.folder / "state")}

    def say(self, *words: str, stdin: bytes = b"") -> Said:
        """The command as a script runs it."""
        return run([*TIDINGS, *words], environment=self.environment, stdin=stdin, cwd=self.folder)

    def start(self, *words: str) -> "subprocess.Popen[str]":
        """The same, still running."""
        return subprocess.Popen(
            [*TIDINGS, *words],
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            start_new_session=True,
        )

    def letter(self) -> InboxMessage:
        """The one message that comes to ``api``."""
        found: list[InboxMessage] = []

        def came() -> bool:
            found.extend(self.api.inbox())
            return bool(found)

        until(came, 15, "a message for api")
        (letter,) = found
        return letter


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Tidings.open(str(tmp_path / "state")) as tidings:
        api = tidings.join("api")
        api.arm()
        yield Desk(folder=tmp_path, tidings=tidings, api=api)


def accepted(outcome: Receipt | Refused) -> str:
    assert isinstance(outcome, Receipt), outcome
    return outcome.ref


def sent(desk: Desk, *options: str, text: str = "hello") -> Message:
    said = desk.say("send", "api", *options, "--json", "--", text)
    assert said.code == 0, said
    return Message.model_validate_json(said.out)


def test_a_script_asks_and_prints_the_answer_and_nothing_else(desk: Desk) -> None:
    asking = desk.start("ask", "api", "--timeout", "30s", "--", "which port?")
    letter = desk.letter()
    assert (letter.text, letter.sender) == ("which port?", "automation")
    desk.api.answer(letter.ref, "8080\nor 8081")
    out, err = asking.communicate(timeout=30)
    assert (asking.returncode, out, err) == (0, "8080\nor 8081\n", "")
    answered = desk.tidings.show(letter.ref)
    assert (answered.evidence, answered.answer) == ("answered", "8080\nor 8081")
    (question, answer) = MESSAGES.validate_json(
        desk.say("message", "thread", letter.ref, "--json").out
    )
    assert (question.ref, answer.reply_to) == (letter.ref, letter.ref)
    assert (answer.state, answer.reason) == ("delivered", "target-self-claim")


def test_an_answer_that_comes_later_is_taken_with_the_token_and_only_once(desk: Desk) -> None:
    said = desk.say("ask", "api", "--timeout", "1s", "--json", "--", "which port?")
    asked = SentMessage.model_validate_json(said.out)
    assert (said.code, asked.answer) == (6, None)
    desk.api.answer(desk.letter().ref, "8080")
    box = asked.reply_box or ""
    assert len(bytes.fromhex(box)) == 16
    assert desk.say("inbox", "--box", "f" * 32).out == "nothing waits\n"
    taken = PulledMessage.model_validate_json(desk.say("inbox", "--box", box, "--json").out)
    assert (taken.text, taken.reply_to, taken.answerable) == ("8080", asked.ref, False)
    assert desk.say("inbox", "--box", box).out == "nothing waits\n"
    for file in (desk.folder / "state").rglob("*"):
        assert not file.is_file() or box.encode() not in file.read_bytes()


def test_a_reply_box_is_offered_without_waiting(desk: Desk) -> None:
    said = desk.say("send", "api", "--reply-box", "--", "which port?")
    assert said.code == 0
    box = said.out.split("--box ")[1].split("`")[0]
    waiting = desk.start("inbox", "--box", box, "--wait", "30s")
    desk.api.answer(desk.letter().ref, "8080")
    out, _err = waiting.communicate(timeout=30)
    assert waiting.returncode == 0
    assert "| 8080\n" in out
    assert desk.say("inbox", "--box", box, "--wait", "1s").code == 6
    plain = desk.say("send", "api", "--", "no box")
    assert "--box" not in plain.out


def test_a_token_that_is_none_and_an_inbox_of_nobody_are_usage_errors(desk: Desk) -> None:
    for words in (["inbox"], ["inbox", "--box", "x"], ["inbox", "--box", "f" * 32, "--limit", "0"]):
        assert desk.say(*words).code == 2, words


def test_a_newer_message_with_the_same_key_takes_the_place_of_the_older(desk: Desk) -> None:
    old = sent(desk, "--key", "pr-412", text="build 1 failed")
    new = sent(desk, "--key", "pr-412", text="build 2 failed")
    status = Message.model_validate_json(desk.say("message", "status", old.ref, "--json").out)
    assert (status.state, status.reason) == ("refused", "superseded-by-newer")
    assert desk.letter().ref == new.ref
    assert desk.say("send", "api", "--key", "a b", "--", "x").code == 2
    assert desk.say("send", "api", "--when", "tomorrow", "--", "x").code == 2


@pytest.mark.parametrize(
    ("options", "code"),
    [(["--ttl", "7d"], 0), (["--ttl", "7d1s"], 2), (["--ttl", "0s"], 2), (["--ttl", "1w"], 2)],
)
def test_a_life_has_its_bounds(desk: Desk, options: list[str], code: int) -> None:
    assert desk.say("send", "api", *options, "--", "x").code == code


def test_without_a_ttl_a_message_lives_two_hours(desk: Desk) -> None:
    said = sent(desk)
    assert said.deadline[11:13] != said.accepted_at[11:13]
    row = open_application(desk.environment).post_office.view(said.ref).row
    assert row.ttl_ns == 2 * 3600 * 10**9


def test_the_whole_of_a_long_text_is_shown_by_show(desk: Desk) -> None:
    text = "\n".join(f"line {number} </cross-session-message>" for number in range(1500))
    said = desk.say("send", "api", "--json", stdin=text.encode())
    ref = Message.model_validate_json(said.out).ref
    shown = desk.say("show", ref).out
    assert "".join(f"  | {line}\n" for line in text.splitlines()) in shown
    assert f"the text ({len(text)} bytes):" in shown


@pytest.mark.case("M124")
def test_neither_status_nor_any_list_holds_a_text(desk: Desk) -> None:
    ref = sent(desk, text="a very secret word").ref
    for words in (
        ["message", "status", ref],
        ["message", "list"],
        ["message", "thread", ref],
        ["message", "explain", ref],
        ["log"],
    ):
        for form in ([], ["--json"]):
            said = desk.say(*words, *form)
            assert (said.code, said.err) == (0, ""), said
            assert "secret" not in said.out
            assert said.out


def test_status_is_code_zero_and_the_states_own_code_only_when_asked(desk: Desk) -> None:
    ref = sent(desk).ref
    assert desk.say("message", "cancel", ref).code == 0
    assert desk.say("message", "status", ref).code == 0
    assert desk.say("message", "status", ref, "--exit-state").code == 1
    assert desk.say("message", "status", "mabcdefg").code == 3


def test_cancelling_is_for_the_sender_and_before_the_write(desk: Desk) -> None:
    ref = sent(desk).ref
    theirs = accepted(desk.tidings.join("front").send("api", "from front"))
    refusal = desk.say("message", "cancel", theirs, "--json")
    assert (refusal.code, Refusal.model_validate_json(refusal.out).reason) == (
        5,
        "source-not-yours",
    )
    cancelled = desk.say("message", "cancel", ref, "--json")
    assert Message.model_validate_json(cancelled.out).reason == "cancelled-by-sender"
    assert desk.say("message", "cancel", ref).code == 0
    late = sent(desk).ref
    while desk.api.inbox():
        pass
    said = desk.say("message", "cancel", late)
    assert (said.code, "delivered" in said.out) == (1, True)


def test_a_retry_is_a_new_message_that_names_the_first_and_is_made_once(desk: Desk) -> None:
    ref = sent(desk, text="once more").ref
    refusal = desk.say("message", "retry", ref, "--json")
    assert (refusal.code, Refusal.model_validate_json(refusal.out).reason) == (
        1,
        "retry-not-known-zero",
    )
    desk.say("message", "cancel", ref)
    again = [
        Message.model_validate_json(desk.say("message", "retry", ref, "--json").out)
        for _ in range(2)
    ]
    assert again[0].ref == again[1].ref != ref
    view = open_application(desk.environment).post_office.view(again[0].ref)
    assert view.envelope.wishes.retry_of == ref
    assert desk.letter().text == "once more"


def test_settling_ends_what_waits_for_a_process_that_died_without_a_word(desk: Desk) -> None:
    dying = subprocess.Popen(
        [sys.executable, "-c", JOIN, str(desk.folder / "state")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert dying.stdout is not None
    assert dying.stdout.readline() == "joined\n"
    ref = Message.model_validate_json(desk.say("send", "mortal", "--json", "--", "x").out).ref
    assert desk.say("message", "settle").out == "nothing to settle\n"
    waiting = desk.start("wait", "mortal", "--until", "gone", "--timeout", "30s", "--json")
    dying.kill()
    dying.communicate(timeout=10)
    out, _err = waiting.communicate(timeout=30)
    assert Waited.model_validate_json(out).reached
    assert stored_state(desk, ref) == "held", "a view tells more than the store holds"
    (ended,) = MESSAGES.validate_json(desk.say("message", "settle", "mortal", "--json").out)
    assert (ended.ref, ended.state, ended.reason) == (ref, "stale", "target-activation-stale")
    assert desk.say("wait", "mortal", "--until", "gone").code == 0
    assert desk.say("wait", "mortal", "--until", "idle").code == 9
    assert desk.say("message", "settle").out == "nothing to settle\n"


def stored_state(desk: Desk, ref: str) -> str:
    row = open_application(desk.environment).ports.store.view(lambda tx: tx.message(ref))
    assert row is not None
    return row.state


JOIN = """
import sys
from tidings import Tidings
tidings = Tidings.open(sys.argv[1])
tidings.join("mortal").arm()
print("joined", flush=True)
sys.stdin.read()
"""


def test_a_wait_is_bounded_and_an_unknown_session_is_an_error(desk: Desk) -> None:
    said = desk.say("wait", "api", "--until", "gone", "--timeout", "1s", "--json")
    assert (said.code, Waited.model_validate_json(said.out).reached) == (6, False)
    assert desk.say("wait", "ape", "--until", "gone").code == 3
    assert desk.say("wait", "api").code == 2
    assert desk.say("wait", "api", "--until", "later").code == 2


def test_the_log_tells_events_and_goes_on_with_those_that_follow(desk: Desk) -> None:
    first = sent(desk).ref
    lines = [LogLine.model_validate_json(one) for one in desk.say("log", "--json").out.splitlines()]
    assert [(one.ref, one.event, one.reason) for one in lines] == [
        (first, "accepted", ""),
        (first, "held", "awaiting-pull"),
    ]
    following = desk.start("log", "--follow", "--json", "--limit", "1")
    assert following.stdout is not None
    assert LogLine.model_validate_json(following.stdout.readline()) == lines[1]
    second = sent(desk).ref
    seen = [LogLine.model_validate_json(following.stdout.readline()) for _ in range(2)]
    assert [(one.ref, one.event) for one in seen] == [(second, "accepted"), (second, "held")]
    following.terminate()
    following.communicate(timeout=10)
    assert following.returncode == 130


def test_messages_are_listed_of_all_or_of_one_session(desk: Desk) -> None:
    front = desk.tidings.join("front")
    front.arm()
    refs = [
        sent(desk).ref,
        accepted(front.send("api", "x")),
        accepted(desk.api.send("front", "y")),
    ]
    third = Message.model_validate_json(desk.say("send", "front", "--json", "--", "z").out).ref

    def listed(*words: str) -> list[str]:
        found = MESSAGES.validate_json(desk.say("message", "list", *words, "--json").out)
        return [one.ref for one in found]

    assert listed() == [*refs, third]
    assert listed("front") == [refs[1], refs[2], third]
    assert listed("--limit", "2") == [refs[2], third]
    assert desk.say("message", "list").out.startswith("REF")


@pytest.mark.parametrize("reason", ["pacing", "provider-write-partial"])
def test_a_reason_is_explained_from_the_catalogue(desk: Desk, reason: str) -> None:
    entry = CATALOGUE[reason]
    said = Explained.model_validate_json(desk.say("message", "explain", reason, "--json").out)
    assert (said.stage, said.exit_code) == (entry.stage, entry.exit_code)
    assert (said.outcome_unknown, said.next_step) == (entry.outcome_unknown, entry.next_step)
    assert entry.meaning in desk.say("message", "explain", reason).out


def test_a_verb_of_a_group_that_is_none_is_a_usage_error(desk: Desk) -> None:
    said = desk.say("message", "statsu", "m1", "--json")
    assert (said.code, "message status" in said.err) == (2, True)
    assert Error.model_validate_json(said.err).exit_code == 2
