"""Answers written by a harness right before its resident rests or ends: none is lost (P11, D29)."""

import os
import re
import signal
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from support.office import Office, opened_office
from support.residents import another, is_running, journal_of, resident_of
from support.waiting import until
from tidings.adapters.wire.published import Message, ShownMessage
from tidings.entrypoints.simulated.client import SimulatedHarness

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
        assert dropped(office) == {}


def dropped(office: Office) -> dict[object, object]:
    """Why answers were not stored, by the ref that they were for."""
    lines = [line for line in journal_of(office) if line["event"] == "answer.refused"]
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
        assert dropped(office) == dict.fromkeys(refs, "answer-not-stored")
        assert [answer_of(office, ref) for ref in refs] == [None] * QUESTIONS
