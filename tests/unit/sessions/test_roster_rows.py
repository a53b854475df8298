"""Registering, listing and pruning sessions (S 4.1 to 4.3, 9.3 to 9.5)."""

from collections import Counter
from dataclasses import replace

import pytest

from support.owners import SOCKET, World
from tidings.adapters.memory.sessions import MemorySessionRecords
from tidings.domain.identity.probe import OwnerProbe
from tidings.domain.sessions.record import MalformedSession, SessionRecord
from tidings.domain.sessions.roster import Roster, may_prune
from tidings.domain.sessions.row import SessionRow
from tidings.ports.codec import Document
from tidings.ports.errors import NotFound, OwnerUnprovable, StateUnwritable
from tidings.ports.processes import Processes, ProcessFact
from tidings.ports.sessions import RecordRead
from tidings.ports.tokens import LockKind, Verdict

HOUR_NS = 3_600_000_000_000


def stored(world: World, key: str) -> Document:
    """The document of ``key``, to be changed and written back."""
    fact = world.records.read(key)
    assert isinstance(fact, RecordRead)
    return fact.document


def record_of(row: SessionRow) -> SessionRecord:
    assert isinstance(row.record, SessionRecord)
    return row.record


@pytest.mark.case("S32")
def test_the_record_is_named_after_the_owner_not_the_registrar() -> None:
    world = World()
    owner = world.owner()
    row = world.register(owner)
    assert row.key.startswith(f"{owner.birth.pid}-")
    assert record_of(row).registrar_pid == world.processes.self_pid() != owner.birth.pid
    assert [fact.key for fact in world.records.read_all()] == [owner.key]


@pytest.mark.case("S34", "S35")
def test_what_was_registered_is_read_back() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    row = world.register(owner, label="wren", cwd="/repo", session_id="s-1")
    record = record_of(world.roster.show(owner.key))
    assert record == record_of(row)
    assert (record.agent, record.cwd, record.session_id) == ("wren", "/repo", "s-1")
    assert record.registered_at_ns == world.clock.now().wall_ns
    assert record.owner == owner
    assert row.verdict is Verdict.ALIVE
    document = row.to_document()
    assert (document["session_pid"], document["agent"]) == (owner.birth.pid, "wren")
    assert "legacy" not in document


@pytest.mark.case("S37")
def test_ten_registrations_leave_one_record() -> None:
    world = World()
    owner = world.owner()
    for number in range(10):
        world.register(owner, cwd=f"/repo/{number}")
    assert [record_of(row).cwd for row in world.roster.list()] == ["/repo/9"]


@pytest.mark.case("S39", "S40")
def test_what_is_not_there_has_no_key_on_disk() -> None:
    world = World()
    row = world.register(world.owner())
    document = stored(world, row.key)
    assert "agent" not in document
    assert isinstance(document["owner"], dict)
    assert "socket" not in document["owner"]


@pytest.mark.case("S41")
def test_registering_clears_the_dead_away() -> None:
    world = World()
    dead = world.owner()
    world.register(dead)
    world.kernel.exit(dead.birth.pid)
    row = world.register(world.owner())
    assert [found.key for found in world.roster.list()] == [row.key]


@pytest.mark.case("SX4")
def test_a_dead_owner_is_an_error_and_no_file() -> None:
    world = World()
    owner = world.owner()
    world.kernel.exit(owner.birth.pid)
    with pytest.raises(OwnerUnprovable):
        world.register(owner)
    assert list(world.records.read_all()) == []


def test_writers_hold_the_registry_lock_and_readers_do_not() -> None:
    world = World()
    world.register(world.owner())
    with world.locks.hold(LockKind.REGISTRY, "", wait_seconds=0):
        assert len(world.roster.list()) == 1


@pytest.mark.case("S46")
def test_the_row_keeps_its_contract_for_scripts() -> None:
    world = World()
    row = world.register(world.owner(with_socket=True), label="wren", session_id="s-1")
    document = row.to_document()
    assert document["session_pid"] == record_of(row).owner.birth.pid
    assert document["session_pid_source"] == "ancestor"
    assert document["session_pid_verified"] is True
    assert document["agent"] == "wren"
    assert document["cwd"] == "/work"
    assert document["liveness"] == "alive"
    assert document["registered_at"] == "2027-01-15T08:00:00Z"
    assert document["path"] == record_of(row).path
    assert document["messaging_socket_path"] == SOCKET
    assert document["session_id"] == "s-1"


@pytest.mark.case("S47")
def test_an_unlabelled_row_has_no_optional_keys() -> None:
    world = World()
    this = world.probe.capture(world.processes.self_pid(), socket_path=None)
    document = world.register(this).to_document()
    assert document["session_pid"] == world.processes.self_pid()
    assert (document["agent"], document["liveness"]) == ("", "alive")
    assert document["session_pid_verified"] is True
    assert not {"legacy", "malformed", "session_id", "messaging_socket_path"} & set(document)


def test_broken_text_is_one_malformed_row_of_unknown_life() -> None:
    world = World()
    owner = world.owner()
    world.register(owner)
    world.records.spoil(owner.key)
    rows = world.roster.list()
    assert [(row.verdict, type(row.record)) for row in rows] == [
        (Verdict.UNKNOWN, MalformedSession)
    ]
    assert rows[0].since_ns == world.clock.now().wall_ns
    assert rows[0].to_document()["malformed"] is True


@pytest.mark.case("S52")
def test_the_newest_comes_first() -> None:
    world = World()
    early = world.register(world.owner()).key
    world.clock.advance(86_400)
    late = world.register(world.owner()).key
    assert [row.key for row in world.roster.list()] == [late, early]


def test_rows_within_one_second_are_ordered_by_the_nanosecond() -> None:
    world = World()
    keys = [world.register(world.owner()).key]
    for _ in range(3):
        world.clock.advance_ns(1)
        keys.append(world.register(world.owner()).key)
    assert [row.key for row in world.roster.list()] == keys[::-1]


CHANGES: list[Document] = [
    {"registered_at_ns": "2026-11-30"},
    {"registered_at_ns": 0},
    {"registrar_pid": 0},
    {"cwd": ""},
    {"cwd": 7},
    {"provider": "antigravity"},
    {"owner_verified": "yes"},
    {"v": 2},
    {"v": True},
]


@pytest.mark.case("S59", "S62")
@pytest.mark.parametrize("change", CHANGES)
def test_a_record_that_breaks_a_rule_is_malformed(change: Document) -> None:
    world = World()
    key = world.register(world.owner()).key
    world.records.write(key, {**stored(world, key), **change})
    row = world.roster.show(key)
    assert isinstance(row.record, MalformedSession)
    assert next(iter(change)) in row.record.why or "form" in row.record.why
    assert row.verdict is Verdict.UNKNOWN


@pytest.mark.case("S57", "S60")
@pytest.mark.parametrize("document", [{}, {"v": 1, "owner": {"pid": -4}}])
def test_a_record_of_almost_nothing_is_malformed(document: Document) -> None:
    world = World()
    key = world.owner().key
    world.records.write(key, document)
    assert [row.verdict for row in world.roster.list()] == [Verdict.UNKNOWN]
    assert isinstance(world.roster.show(key).record, MalformedSession)


BIRTHS: list[tuple[str, Document]] = [
    ("pid", {"pid": -4}),
    ("pid", {"pid": 0}),
    ("pid", {"pid": True}),
    ("uid", {"uid": -1}),
    ("start", {"start": ""}),
    ("start", {"start": "linux:" + "b" * 155}),
    ("start", {"start": "linux:b:1\n"}),
    ("start", {"start": "linux:b:1\r"}),
    ("start", {"start": "linux:\0:1"}),
]


@pytest.mark.case("S61", "R9")
@pytest.mark.parametrize(("field", "change"), BIRTHS)
def test_a_birth_that_breaks_a_rule_makes_the_record_malformed(
    field: str, change: Document
) -> None:
    world = World()
    key = world.register(world.owner()).key
    document = stored(world, key)
    owner = document["owner"]
    assert isinstance(owner, dict)
    world.records.write(key, {**document, "owner": {**owner, **change}})
    row = world.roster.show(key)
    assert isinstance(row.record, MalformedSession)
    assert row.record.why.startswith(f"owner.{field} is not")


@pytest.mark.parametrize("name", ["v", "owner", "provider", "cwd", "registered_at_ns"])
def test_a_record_without_a_needed_field_is_malformed(name: str) -> None:
    world = World()
    key = world.register(world.owner()).key
    document = stored(world, key)
    del document[name]
    world.records.write(key, document)
    assert isinstance(world.roster.show(key).record, MalformedSession)


@pytest.mark.case("S64")
def test_a_record_without_a_registrar_is_malformed() -> None:
    world = World()
    key = world.register(world.owner()).key
    document = stored(world, key)
    del document["registrar_pid"]
    world.records.write(key, document)
    assert isinstance(world.roster.show(key).record, MalformedSession)


def test_a_record_under_another_sessions_name_is_malformed() -> None:
    world = World()
    key = world.register(world.owner()).key
    other = world.owner().key
    world.records.write(other, stored(world, key))
    assert isinstance(world.roster.show(other).record, MalformedSession)


def test_an_unknown_session_is_not_found() -> None:
    with pytest.raises(NotFound):
        World().roster.show("7-0123abcd")


def three_rows(world: World) -> tuple[str, str, str]:
    """An alive, a dead, and a malformed record that is 100 hours old."""
    garbage, dead, alive = world.owner(), world.owner(), world.owner()
    for owner in (garbage, dead, alive):
        world.register(owner)
    world.records.spoil(garbage.key)
    world.clock.advance(100 * 3600)
    world.kernel.exit(dead.birth.pid)
    return alive.key, dead.key, garbage.key


@pytest.mark.case("S65")
def test_a_prune_without_a_bound_keeps_every_malformed_record() -> None:
    """Those of S57 to S64, whose owners ended long ago."""
    world = World()
    for broken in ("empty", "instant", "almost nothing", "pid", "registrar", "no registrar"):
        owner = world.owner()
        whole = stored(world, world.register(owner).key)
        named = whole["owner"]
        assert isinstance(named, dict)
        negative: Document = {**named, "pid": -4}
        documents: dict[str, Document] = {
            "empty": {},
            "instant": {**whole, "registered_at_ns": "2026-11-30"},
            "almost nothing": {"v": 1, "owner": {"pid": -4}},
            "pid": {**whole, "owner": negative},
            "registrar": {**whole, "registrar_pid": 0},
            "no registrar": {k: v for k, v in whole.items() if k != "registrar_pid"},
        }
        world.records.write(owner.key, documents[broken])
        world.kernel.exit(owner.birth.pid)
    before = world.records.read_all()
    world.clock.advance(1000 * 3600)
    report = world.roster.prune()
    assert (report.removed, report.kept) == ((), 6)
    assert world.records.read_all() == before


@pytest.mark.case("S70")
def test_a_prune_without_a_bound_takes_the_dead_only() -> None:
    world = World()
    alive, dead, garbage = three_rows(world)
    report = world.roster.prune()
    assert [row.record.path for row in report.removed] == [f"memory:sessions/{dead}.json"]
    assert (report.dead_removed, report.unknown_removed, report.kept) == (1, 0, 2)
    assert {row.key for row in world.roster.list()} == {alive, garbage}


@pytest.mark.case("S71")
def test_garbage_younger_than_the_bound_stays() -> None:
    world = World()
    alive, _, garbage = three_rows(world)
    world.roster.prune(older_than_ns=200 * HOUR_NS)
    assert {row.key for row in world.roster.list()} == {alive, garbage}


def test_garbage_exactly_as_old_as_the_bound_stays() -> None:
    world = World()
    three_rows(world)
    assert world.roster.prune(older_than_ns=100 * HOUR_NS).unknown_removed == 0


@pytest.mark.case("S72")
@pytest.mark.parametrize("bound_ns", [1, 50 * HOUR_NS])
def test_garbage_older_than_the_bound_goes(bound_ns: int) -> None:
    world = World()
    alive, _, _ = three_rows(world)
    report = world.roster.prune(older_than_ns=bound_ns)
    assert (report.unknown_removed, report.kept) == (1, 1)
    assert [row.key for row in world.roster.list()] == [alive]


@pytest.mark.parametrize(
    ("verdict", "age_ns", "bound_ns", "goes"),
    [
        (Verdict.ALIVE, 9, 1, False),
        (Verdict.DEAD, 0, None, True),
        (Verdict.DEAD, 9, 1, True),
        (Verdict.UNKNOWN, 9, None, False),
        (Verdict.UNKNOWN, 9, 9, False),
        (Verdict.UNKNOWN, 9, 8, True),
    ],
)
def test_what_prune_may_take(
    verdict: Verdict, age_ns: int, bound_ns: int | None, goes: bool
) -> None:
    world = World()
    row = world.register(world.owner())
    now_ns = row.since_ns + age_ns
    before_ns = None if bound_ns is None else now_ns - bound_ns
    judged = replace(row, liveness=replace(row.liveness, verdict=verdict))
    assert may_prune(judged, before_ns) is goes


@pytest.mark.case("SX11")
def test_a_foreign_row_is_unknown_and_survives_a_prune() -> None:
    """Two containers share the folder; to the other one the pid is nobody's, or another's."""
    world = World().seen_from(pid_namespace="pid:[1]", initial_pid_namespace=False)
    owner = world.owner()
    key = world.register(owner).key
    elsewhere = world.seen_from(pid_namespace="pid:[2]")
    for pid_there in ("as recorded", "nobody's"):
        if pid_there == "nobody's":
            world.kernel.exit(owner.birth.pid)
        assert elsewhere.roster.show(key).verdict is Verdict.UNKNOWN
        assert elsewhere.roster.prune().kept == 1
    assert world.roster.show(key).verdict is Verdict.DEAD


class CrashingRecords(MemorySessionRecords):
    """The machine dies at the first unlink."""

    def remove(self, key: str) -> bool:
        raise StateUnwritable("crashed")


@pytest.mark.case("SX16")
def test_a_crash_between_write_and_prune_leaves_a_valid_record() -> None:
    world = World()
    dead = world.owner()
    world.register(dead)
    world.kernel.exit(dead.birth.pid)
    crashing = CrashingRecords(clock=world.clock)
    crashing.write(dead.key, stored(world, dead.key))
    crashed = replace(world, records=crashing)
    owner = crashed.owner()
    with pytest.raises(StateUnwritable):
        crashed.register(owner)
    assert crashed.roster.show(owner.key).verdict is Verdict.ALIVE


class CountedProcesses:
    """The processes of a world, and how often each was looked at."""

    def __init__(self, processes: Processes) -> None:
        self.looks: Counter[int] = Counter()
        self.self_pid, self.place = processes.self_pid, processes.place
        self._processes = processes

    def look(self, pid: int) -> ProcessFact:
        self.looks[pid] += 1
        return self._processes.look(pid)


def test_one_list_looks_at_each_process_once_and_the_next_list_looks_anew() -> None:
    world = World()
    owner = world.owner()
    for thread in ("one", "two", "three"):
        world.register(replace(owner, thread_id=thread))
    counted = CountedProcesses(world.processes)
    probe = OwnerProbe(processes=counted, sockets=world.sockets)
    roster = Roster(records=world.records, locks=world.locks, clock=world.clock, probe=probe)
    assert [row.verdict for row in roster.list()] == [Verdict.ALIVE] * 3
    assert counted.looks == {owner.birth.pid: 1}
    world.kernel.exit(owner.birth.pid)
    assert [row.verdict for row in roster.list()] == [Verdict.DEAD] * 3
