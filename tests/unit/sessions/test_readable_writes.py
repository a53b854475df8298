"""What is written is what its own parser reads: else nothing is, and what was there stays (P12)."""

from dataclasses import asdict

import pytest

from support.owners import World
from tidings.adapters.memory.sessions import MemorySessionRecords
from tidings.domain.consent.arming import ArmWord
from tidings.domain.consent.scope import EVERYTHING, ConsentScope
from tidings.domain.sessions.labels import LONGEST_LABEL, choose_label
from tidings.domain.sessions.record import SessionRecord
from tidings.ports.errors import StateUnwritable, UsageError
from tidings.ports.tokens import Provider
from tidings.ports.values import replace

LONG = "x" * 5000


@pytest.mark.parametrize(
    "words", [{"label": LONG}, {"session_id": LONG}, {"cwd": f"/{LONG}"}, {"cwd": ""}], ids=repr
)
def test_no_record_is_replaced_by_one_that_does_not_read(words: dict[str, str]) -> None:
    world = World()
    owner = world.owner()
    before = world.register(owner, label="wren").record
    with pytest.raises(UsageError, match="not registered"):
        world.register(owner, **words)
    assert world.roster.show(owner.key).record == before


def test_no_first_record_is_written_that_does_not_read() -> None:
    world = World()
    owner = replace(world.owner(), thread_id=LONG)
    with pytest.raises(UsageError):
        world.register(owner)
    assert list(MemorySessionRecords.read_all(world.records)) == []


def test_the_name_that_a_harness_chose_is_cut() -> None:
    world = World()
    owner = world.owner()
    row = world.roster.register(
        owner, provider=Provider.CLAUDE, session_id="", label="", cwd="/work", name=LONG
    )
    assert isinstance(row.record, SessionRecord)
    assert row.record.name == LONG[:LONGEST_LABEL]


@pytest.mark.parametrize(
    ("registered", "repository", "variable", "label"),
    [
        ("", LONG, "wren", "wren"),
        (LONG, "owl", "wren", "owl"),
        ("", "", LONG, ""),
        ("", "", LONG[:LONGEST_LABEL], LONG[:LONGEST_LABEL]),
    ],
)
def test_a_text_that_is_too_long_is_no_label(
    registered: str, repository: str, variable: str, label: str
) -> None:
    environment = {"TIDINGS_AGENT": variable}
    chosen = choose_label(registered=registered, repository=repository, environment=environment)
    assert chosen == label


@pytest.mark.parametrize(
    "scope",
    [
        ConsentScope(senders=tuple(f"agent:{number:04}" + "u" * 90 for number in range(700))),
        ConsentScope(until_ns=2**64),
    ],
    ids=["too many senders", "too far an end"],
)
def test_no_mark_is_replaced_by_one_that_does_not_read(scope: ConsentScope) -> None:
    world = World()
    owner = world.owner()
    world.desk.arm(owner, cwd="/work", scope=EVERYTHING)
    before = world.marks.read(owner.key)
    with pytest.raises((UsageError, StateUnwritable)):
        world.desk.arm(owner, cwd="/work", scope=scope)
    assert world.marks.read(owner.key) == before
    assert asdict(world.desk.state(owner.key).scope) == asdict(EVERYTHING)


def test_a_folder_that_is_too_long_to_be_told_stops_neither_word() -> None:
    world = World()
    owner = world.owner()
    assert world.desk.arm(owner, cwd=f"/{LONG}", scope=EVERYTHING).word is ArmWord.ARMED
    world.desk.disarm(owner, cwd=f"/{LONG}")
    assert world.desk.state(owner.key).word is ArmWord.DISARMED
