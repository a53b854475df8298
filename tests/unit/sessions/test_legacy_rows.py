"""Records of the form before session keys: they show that something ran and identify nobody (S 4.10)."""

import json

import pytest

from support.owners import World, place_with
from tidings.adapters.wire.published import REGISTRY
from tidings.domain.sessions.legacy import LegacySession
from tidings.domain.sessions.record import MalformedSession
from tidings.domain.sessions.row import SessionRow
from tidings.ports.codec import Document, Value
from tidings.ports.tokens import Verdict

GONE, STAMP = 4_000_000, "2026-08-18T10:00:00Z"
FIRST: Document = {"pid": GONE, "cwd": "/old", "registered_at": STAMP}


def row_of(world: World, **changes: Value) -> SessionRow:
    world.records.leave("7", {**FIRST, **changes})
    return world.roster.show("7")


def legacy(row: SessionRow) -> LegacySession:
    assert isinstance(row.record, LegacySession), row.record
    return row.record


@pytest.mark.case("S49")
def test_without_a_socket_it_is_the_registrars_and_dead_once_that_is_gone() -> None:
    row = row_of(World())
    assert (legacy(row).pid, legacy(row).source) == (GONE, "legacy-registrar")
    assert row.verdict is Verdict.DEAD
    assert row.to_document() == {
        "key": "7",
        "session_pid": GONE,
        "session_pid_source": "legacy-registrar",
        "session_pid_verified": False,
        "agent": "",
        "cwd": "/old",
        "legacy": True,
        "registered_at": STAMP,
        "liveness": "dead",
        "path": "memory:sessions/7.json",
    }


def test_a_row_of_the_year_one_is_shown_as_the_published_form_wants_it() -> None:
    row = row_of(World(), registered_at="0001-01-01T00:00:00Z")
    (shown,) = REGISTRY.validate_json(json.dumps([{"v": 1, **row.to_document()}]))
    assert shown.registered_at == "0001-01-01T00:00:00Z"


def test_a_socket_that_is_named_by_a_number_names_the_process() -> None:
    row = row_of(World(), messaging_socket_path="/run/user/1000/cc/4242.sock")
    assert (legacy(row).pid, legacy(row).source) == (4242, "legacy-socket")
    named = row_of(World(), messaging_socket_path="/run/msg.sock")
    assert (legacy(named).pid, legacy(named).source) == (GONE, "legacy-registrar")


@pytest.mark.case("S56")
def test_a_pid_of_zero_is_legacy_and_its_claims_are_blanked() -> None:
    row = row_of(World(), session_pid=0, agent="wren", session_id="s", session_pid_verified=True)
    document = row.to_document()
    assert (document["session_pid"], document["agent"]) == (GONE, "")
    assert (document["legacy"], document["session_pid_verified"]) == (True, False)
    assert "session_id" not in document
    assert legacy(row).source == "legacy-registrar"


@pytest.mark.case("S87")
def test_a_bare_number_never_proves_a_life() -> None:
    """P1: whoever has the number now may be anybody (changes S 4.10 and S87, decision 0010)."""
    world = World()
    world.kernel.spawn(GONE)
    assert row_of(world).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("elsewhere", [{"initial_pid_namespace": False}, {"state_is_local": False}])
def test_where_the_number_may_be_another_containers_nobody_is_dead(
    elsewhere: dict[str, bool],
) -> None:
    world = World(place=place_with(World().place, **elsewhere))
    assert row_of(world).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("state", ["zombie", "unreadable"])
def test_a_process_that_ended_is_gone_and_an_unreadable_one_unknown(state: str) -> None:
    world = World()
    world.kernel.spawn(GONE)
    if state == "zombie":
        world.kernel.become_zombie(GONE)
    else:
        world.kernel.become_unreadable(GONE)
    assert row_of(world).verdict is (Verdict.DEAD if state == "zombie" else Verdict.UNKNOWN)


@pytest.mark.parametrize(
    "change",
    [
        {"pid": 0},
        {"pid": "7"},
        {"session_pid": -1},
        {"cwd": ""},
        {"registered_at": ""},
        {"registered_at": "yesterday"},
        {"registered_at": "2026-02-30T00:00:00Z"},
    ],
)
def test_one_that_breaks_a_rule_is_malformed_and_kept(change: Document) -> None:
    world = World()
    row = row_of(world, **change)
    assert isinstance(row.record, MalformedSession)
    assert world.roster.prune().kept == 1


@pytest.mark.case("S54")
def test_both_forms_are_ordered_as_instants() -> None:
    world = World()
    half_a_second_later = world.owner()
    world.register(half_a_second_later)
    fact = world.records.read(half_a_second_later.key)
    assert fact is not None
    now = world.roster.show(half_a_second_later.key).since_ns
    world.clock.advance_ns(500_000_000)
    world.register(half_a_second_later)
    whole_second = now // 1_000_000_000
    assert now % 1_000_000_000 == 0, "the manual clock begins on a second"
    stamp = world.roster.show(half_a_second_later.key).to_document()["registered_at"]
    assert str(stamp).endswith(".5Z")
    world.records.leave("7", {**FIRST, "registered_at": str(stamp).replace(".5Z", "Z")})
    rows = world.roster.list()
    assert [row.key for row in rows] == [half_a_second_later.key, "7"]
    assert rows[1].since_ns == whole_second * 1_000_000_000


def test_a_prune_takes_the_dead_one_away() -> None:
    world = World()
    world.records.leave("7", FIRST)
    report = world.roster.prune()
    assert (report.dead_removed, report.kept) == (1, 0)
    assert list(world.records.read_all()) == []
