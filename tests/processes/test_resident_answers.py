"""Answers written by a harness right before its resident rests or ends: none is lost (P11, D29)."""

import os
import re
import signal
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from support.native_answer import write_native
from support.office import TIDINGS, Office, opened_office
from support.residents import another, is_running, journal_of, resident_of
from support.waiting import until
from tidings.adapters.wire.published import Message, ShownMessage
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.simulated.script import UseTool

pytestmark = [
    pytest.mark.xdist_group("answers-office"),
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc"),
]

QUESTIONS = 3
ADDRESS = re.compile(r"uds:[^\"\\ ]+/r-[0-9a-f]{24}\.sock")


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with opened_office() as opened:
        yield opened


def disarm(office: Office, harness: SimulatedHarness, _resident: int) -> None:
    office.disarm(harness)


def terminate(_office: Office, _harness: SimulatedHarness, resident: int) -> None:
    os.kill(resident, signal.SIGTERM)


def crash(_office: Office, harness: SimulatedHarness, _resident: int) -> None:
    harness.crash()


def move(_office: Office, harness: SimulatedHarness, _resident: int) -> None:
    """Its socket is another node by now, so that the resident begins anew."""
    aside = harness.socket_path.with_suffix(".aside")
    harness.socket_path.rename(aside)
    os.link(aside, harness.socket_path)
    os.utime(harness.socket_path, ns=(1, 1))


@contextmanager
def stopped(pid: int) -> Generator[None]:
    """The process does not get to run meanwhile."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def questions(office: Office, name: str) -> list[str]:
    """The refs of messages from ``front`` that the model at ``name`` has read."""
    refs: list[str] = []
    for number in range(QUESTIONS):
        words = f"send {name} --wait seen --timeout 8s --json -- question {number}"
        said = Message.model_validate_json(office.inside(office.front, words).out)
        assert said.evidence == "seen"
        refs.append(said.ref)
    return refs


def addresses(harness: SimulatedHarness) -> list[str]:
    """Where the model may answer what it read, in that order."""
    found = ADDRESS.findall(str(harness.traces.requests()))
    return list(dict.fromkeys(found))


def answer_of(office: Office, ref: str) -> str | None:
    return ShownMessage.model_validate_json(office.script("show", ref, "--json").out).answer


@pytest.mark.parametrize("end", [disarm, terminate, crash, move])
def test_every_answer_written_before_a_resident_rests_or_ends_arrives(
    office: Office, end: Callable[[Office, SimulatedHarness, int], None]
) -> None:
    name = f"asked-{end.__name__}"
    with another(office, name) as harness:
        office.arm(harness)
        refs = questions(office, name)
        asked = addresses(harness)
        assert len(asked) == QUESTIONS
        resident = resident_of(harness)
        with stopped(resident):
            for number, address in enumerate(asked):
                harness.answer(f"answer {number}", to=address)
            end(office, harness, resident)
        wanted = [f"answer {number}" for number in range(QUESTIONS)]
        until(lambda: [answer_of(office, ref) for ref in refs] == wanted, 10, "every answer")
        assert dropped(office, refs) == {}


@pytest.fixture(scope="module")
def asked(office: Office) -> Iterator[SimulatedHarness]:
    """A session that is asked things; its model answers with the client's own tool."""
    with another(office, "asked") as harness:
        office.arm(harness)
        yield harness


@pytest.fixture
def asker(office: Office) -> Iterator[SimulatedHarness]:
    """A session that may stop hearing in the middle of a test."""
    with another(office, "asker") as harness:
        yield harness


def ask(office: Office, asker: SimulatedHarness, *words: str) -> str:
    said = office.inside(asker, f"send asked --wait seen --timeout 8s --json {' '.join(words)}")
    message = Message.model_validate_json(said.out)
    assert message.evidence == "seen"
    return message.ref


def socket_for(harness: SimulatedHarness) -> Path:
    """The socket of the newest question."""
    return Path(addresses(harness)[-1].removeprefix("uds:"))


def refusals(office: Office, ref: str) -> list[str]:
    """Why answers were not taken, as ``show`` tells both ends."""
    shown = ShownMessage.model_validate_json(office.script("show", ref, "--json").out)
    return [one.reason for one in shown.events if one.event == "answer-refused"]


def told_by_its_tool(harness: SimulatedHarness, text: str) -> str:
    """What the model reads when it answers ``text`` at the newest address."""
    harness.answer(text, to=addresses(harness)[-1])
    events = [one for one in harness.traces.events() if "PostToolUse" in str(one["event"])]
    return str(events[-1]["event"])


def to_nobody(office: Office, asker: SimulatedHarness) -> None:
    office.disarm(asker)


def gone(_office: Office, asker: SimulatedHarness) -> None:
    asker.crash()


def cleared(office: Office, asker: SimulatedHarness) -> None:
    """Armed, so that its resident is awake to notice: a dormant one looks at no events (D12)."""
    office.arm(asker)
    asker.clear()


@pytest.mark.parametrize("change", [to_nobody, gone, cleared])
def test_an_answer_that_nobody_would_hear_fails_in_the_answering_models_own_tool(
    office: Office,
    asked: SimulatedHarness,
    asker: SimulatedHarness,
    change: Callable[[Office, SimulatedHarness], None],
) -> None:
    ask(office, asker, "-- still", "there?")
    address = socket_for(asked)
    until(address.exists, 15, "the socket")
    change(office, asker)
    until(lambda: not address.exists(), 15, "its end")
    assert told_by_its_tool(asked, "too late") == "PostToolUseFailure"


def test_a_late_answer_fails_in_the_answering_models_own_tool(
    office: Office, asked: SimulatedHarness
) -> None:
    ref = ask(office, office.front, "--ttl 4s", "-- quick", "one?")
    address = socket_for(asked)
    until(lambda: not address.exists(), 8, "the deadline")
    assert told_by_its_tool(asked, "too late") == "PostToolUseFailure"
    assert answer_of(office, ref) is None


def test_a_forged_answer_is_refused_where_both_ends_can_read_why(
    office: Office, asked: SimulatedHarness
) -> None:
    ref = ask(office, office.front, "-- all", "green?")
    until(socket_for(asked).exists, 15, "the socket")
    for _ in range(3):
        assert write_native(addresses(asked)[-1], "forged")
    until(lambda: refusals(office, ref), 15, "the refusal")
    assert told_by_its_tool(asked, "the true one") == "PostToolUse"
    until(lambda: answer_of(office, ref) == "the true one", 15, "the answer")
    assert refusals(office, ref) == ["answer-unproved"]


@pytest.mark.case("M201")
def test_each_answer_goes_to_the_question_it_names_and_a_second_one_is_refused(
    office: Office, asked: SimulatedHarness
) -> None:
    refs = [ask(office, office.front, "--", word) for word in ("left?", "right?")]
    places = addresses(asked)[-2:]
    asked.prompt("something else in between")
    asked.wait_idle()
    with stopped(resident_of(asked)):
        for address, text in zip(reversed(places), ("right", "left"), strict=True):
            asked.answer(text, to=address)
        asked.answer("left again", to=places[0])
    until(lambda: [answer_of(office, ref) for ref in refs] == ["left", "right"], 15, "both")
    until(lambda: refusals(office, refs[0]) == ["reply-already-committed"], 15, "the refusal")
    assert refusals(office, refs[1]) == []
    said = office.inside(asked, f"reply {refs[1]} --json -- right again")
    assert (said.code, said.json["reason"]) == (1, "reply-already-committed")


def dropped(office: Office, refs: list[str]) -> dict[object, object]:
    """Why answers to these were not stored, as the journal tells."""
    lines = [line for line in journal_of(office) if line["event"] == "answer.refused"]
    lines = [line for line in lines if line["ref"] in refs]
    return {line["ref"]: line["reason"] for line in lines}


def test_an_answer_that_a_locked_store_does_not_take_in_time_is_in_the_journal(
    office: Office,
) -> None:
    with another(office, "locked-out") as harness:
        office.arm(harness)
        refs = questions(office, "locked-out")
        resident = resident_of(harness)
        with closing(sqlite3.connect(office.state / "tidings.db", isolation_level=None)) as store:
            with stopped(resident):
                for address in addresses(harness):
                    harness.answer("in vain", to=address)
                store.execute("BEGIN IMMEDIATE")
                os.kill(resident, signal.SIGTERM)
            until(lambda: not is_running(resident), 15, "its end")
            store.execute("ROLLBACK")
        assert dropped(office, refs) == dict.fromkeys(refs, "answer-not-stored")
        assert [answer_of(office, ref) for ref in refs] == [None] * QUESTIONS


@pytest.mark.parametrize("verb", ["ask asked", "send asked --wait answered"])
def test_an_answer_that_the_asking_command_printed_comes_no_second_time(
    office: Office, asked: SimulatedHarness, verb: str
) -> None:
    before = len(addresses(asked))
    office.front.wait_idle()
    commands, frames = len(office.front.traces.commands()), office.front.view().frames
    office.front.prompt("ask", asking(f"{verb} --timeout 30s -- which port?"))
    until(lambda: len(addresses(asked)) > before, 8, "the question")
    asked.wait_idle()
    asked.answer("port 8080", to=addresses(asked)[-1])
    until(lambda: len(office.front.traces.commands()) > commands, 10, "the end of the command")
    assert "port 8080" in office.front.traces.commands()[-1].output
    (claimed,) = [
        row
        for row in office.script("message", "list", "--json").json
        if row["reply_to"] == ref_of(asked) and row["source_agent"] is not None
    ]
    assert (claimed["state"], claimed["reason"]) == ("delivered", "target-self-claim")
    office.front.wait_idle()
    assert office.front.view().frames == frames


def test_an_answer_comes_as_a_message_where_the_asking_command_was_interrupted(
    office: Office, asked: SimulatedHarness
) -> None:
    before = len(addresses(asked))
    commands = len(office.front.traces.commands())
    words = "ask asked --timeout 60s -- which host?"
    office.front.prompt("ask", asking(words, before="timeout 3"))
    until(lambda: len(addresses(asked)) > before, 8, "the question")
    until(lambda: len(office.front.traces.commands()) > commands, 10, "the end of the command")
    asked.wait_idle()
    asked.answer("host db-2", to=addresses(asked)[-1])
    until(lambda: office.front.traces.times_read("| host db-2") == 1, 8, "the answer as a message")


def asking(words: str, *, before: str = "") -> UseTool:
    """The model runs the command in its shell, as long as it takes."""
    command = f"{before} {' '.join(TIDINGS)} {words}".strip()
    return UseTool(tool_input={"command": command}, runs=True)


def ref_of(harness: SimulatedHarness) -> str:
    """The ref of the newest question that the model has read."""
    found = re.findall(r"tidings (m[0-9a-z]{28}) from", str(harness.traces.requests()))
    return str(found[-1])
