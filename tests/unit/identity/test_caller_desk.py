"""Who is calling (D4), and what the variables claim (S 2.1)."""

from dataclasses import dataclass, field

import pytest

from support.owners import World
from tidings.adapters.memory.presence import MemoryHarnessPresence
from tidings.adapters.memory.processes import MemoryProcesses
from tidings.domain.identity.caller import (
    CallerDesk,
    ScriptCaller,
    SessionCaller,
    TerminalCaller,
)
from tidings.domain.identity.claim import PidClaim, claimed_pid
from tidings.ports.errors import UsageError
from tidings.ports.presence import HarnessSighting
from tidings.ports.processes import ProcessBirth
from tidings.ports.tokens import Provider


@dataclass
class Family:
    """shell <- harness <- tool shell <- this command."""

    world: World = field(default_factory=World)
    presence: MemoryHarnessPresence = field(default_factory=MemoryHarnessPresence)

    def __post_init__(self) -> None:
        kernel = self.world.kernel
        self.shell = kernel.spawn(name="bash").pid
        self.harness = kernel.spawn(parent_pid=self.shell, name="claude")
        self.tool = kernel.spawn(parent_pid=self.harness.pid, name="sh").pid
        self.command = kernel.spawn(parent_pid=self.tool, name="tidings").pid

    def desk(self, pid: int | None = None) -> CallerDesk:
        """The desk as the command (or ``pid``) sees it."""
        return CallerDesk(
            processes=MemoryProcesses(self.world.kernel, pid=pid or self.command),
            presence=self.presence,
            records=self.world.records,
            probe=self.world.probe,
        )

    def register(self, pid: int) -> str:
        """Registers the process as a session and returns its key."""
        return self.world.register(self.world.probe.capture(pid, socket_path=None)).key

    def sight(self, birth: ProcessBirth, *, start_ticks: str = "") -> HarnessSighting:
        """The client publishes the process in its own registry."""
        sighting = HarnessSighting(
            pid=birth.pid,
            provider=Provider.CLAUDE,
            session_id="s-1",
            name="api",
            cwd="/work",
            socket_path="",
            version="2.1.332",
            start_ticks=start_ticks,
        )
        self.presence.publish(sighting)
        return sighting


def test_the_nearest_registered_harness_is_the_caller() -> None:
    family = Family()
    outer = family.register(family.shell)
    key = family.register(family.harness.pid)
    assert outer != key
    assert family.desk().who({}, "/dev/pts/1") == SessionCaller(
        pid=family.harness.pid, session_key=key, sighting=None
    )


def test_an_unregistered_nested_harness_hides_the_registered_one_above() -> None:
    family = Family()
    family.register(family.shell)
    sighting = family.sight(family.harness)
    assert family.desk().who({}, "") == SessionCaller(
        pid=family.harness.pid, session_key=None, sighting=sighting
    )


def test_a_sighting_of_an_earlier_process_is_none() -> None:
    family = Family()
    family.sight(family.harness, start_ticks="1")
    assert family.desk().who({}, "") == ScriptCaller()
    ticks = family.harness.start.rpartition(":")[2]
    family.sight(family.harness, start_ticks=ticks)
    assert isinstance(family.desk().who({}, ""), SessionCaller)


def test_a_malformed_record_names_no_source_and_no_person() -> None:
    family = Family()
    family.world.records.spoil(family.register(family.harness.pid))
    caller = family.desk().who({}, "/dev/pts/1")
    assert caller == SessionCaller(pid=family.harness.pid, session_key=None, sighting=None)


def test_a_record_with_another_owner_inside_is_not_believed() -> None:
    family = Family()
    key = family.register(family.harness.pid)
    other = family.world.register(family.world.owner()).record
    fact = family.world.records.read(other.key)
    assert fact is not None
    family.world.records.write(key, getattr(fact, "document"))  # noqa: B009
    caller = family.desk().who({}, "")
    assert isinstance(caller, SessionCaller)
    assert caller.session_key is None


def test_variables_that_name_another_process_are_ignored_and_reported() -> None:
    family = Family()
    key = family.register(family.harness.pid)
    environment = {"CLAUDE_PID": str(family.shell), "TIDINGS_SESSION_PID": str(family.harness.pid)}
    assert family.desk().who(environment, "") == SessionCaller(
        pid=family.harness.pid, session_key=key, sighting=None, ignored=("CLAUDE_PID",)
    )


def test_without_a_harness_a_terminal_is_a_person_and_no_terminal_a_script() -> None:
    desk = Family().desk()
    assert desk.who({"CLAUDE_PID": "1"}, "/dev/pts/1") == TerminalCaller(tty="/dev/pts/1")
    assert desk.who({"CLAUDE_PID": "1"}, "") == ScriptCaller()


def test_a_family_that_runs_in_circles_ends() -> None:
    family = Family()
    kernel = family.world.kernel
    first = kernel.spawn(parent_pid=family.shell).pid
    kernel.spawn(family.shell, parent_pid=first)
    assert family.desk(first).who({}, "") == ScriptCaller()


@pytest.mark.case("S1")
def test_without_variables_the_process_itself_is_claimed() -> None:
    assert claimed_pid({}, self_pid=77) == PidClaim(pid=77, source="self")


@pytest.mark.case("S2")
def test_the_clients_variable_names_the_parent() -> None:
    family = Family()
    claim, is_verified = family.desk().claimed({"CLAUDE_PID": str(family.harness.pid)})
    assert claim == PidClaim(pid=family.harness.pid, source="CLAUDE_PID")
    assert is_verified


@pytest.mark.parametrize("value", ["5", "+5", "005"])
def test_our_variable_comes_first(value: str) -> None:
    environment = {"TIDINGS_SESSION_PID": value, "CLAUDE_PID": "nonsense"}
    assert claimed_pid(environment, self_pid=77) == PidClaim(pid=5, source="TIDINGS_SESSION_PID")


def test_an_empty_variable_is_unset() -> None:
    environment = {"TIDINGS_SESSION_PID": "", "CLAUDE_PID": "6"}
    assert claimed_pid(environment, self_pid=77).source == "CLAUDE_PID"


@pytest.mark.case("S4", "S5", "S6", "SX10")
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TIDINGS_SESSION_PID", "abc"),
        ("CLAUDE_PID", "0"),
        ("TIDINGS_SESSION_PID", "-4"),
        ("CLAUDE_PID", "nope"),
        ("CLAUDE_PID", " 5"),
        ("CLAUDE_PID", "5\n"),
        ("CLAUDE_PID", "1_0"),
        ("CLAUDE_PID", "٥"),
        ("CLAUDE_PID", "5.0"),
        ("CLAUDE_PID", "9" * 5000),
    ],
)
def test_a_wrong_pid_is_an_error_that_names_it_and_never_falls_through(
    variable: str, value: str
) -> None:
    with pytest.raises(UsageError, match=variable) as caught:
        claimed_pid({"CLAUDE_PID": "8", variable: value}, self_pid=77)
    assert repr(value) in caught.value.text


@pytest.mark.case("S12")
def test_this_process_and_those_above_it_are_verified() -> None:
    family = Family()
    assert family.desk().claimed({}) == (PidClaim(pid=family.command, source="self"), True)


@pytest.mark.case("S14")
def test_a_process_beside_us_is_claimed_unverified() -> None:
    family = Family()
    for parent_pid in (family.shell, family.command):
        pid = family.world.kernel.spawn(parent_pid=parent_pid).pid
        claim, is_verified = family.desk().claimed({"CLAUDE_PID": str(pid)})
        assert (claim.pid, is_verified) == (pid, False)
        row = family.world.roster.register(
            family.world.probe.capture(claim.pid, socket_path=None),
            provider=Provider.CLAUDE,
            session_id="",
            label="",
            cwd="/work",
            name="",
            source=claim.source,
            verified=is_verified,
        )
        document = row.to_document()
        assert (document["session_pid"], document["session_pid_verified"]) == (pid, False)
        assert document["session_pid_source"] == "CLAUDE_PID"


class TestThreads:
    """One process that hosts several conversations (D2): Codex."""

    def register(self, family: Family, thread_id: str) -> str:
        pid = family.harness.pid
        owner = family.world.probe.capture(pid, socket_path=None, thread_id=thread_id)
        return family.world.register(owner).key

    def who(self, family: Family, thread_id: str) -> str | None:
        caller = family.desk().who({"CODEX_THREAD_ID": thread_id}, "")
        return caller.session_key if isinstance(caller, SessionCaller) else None

    def test_the_variable_chooses_among_the_conversations_of_a_proved_process(self) -> None:
        family = Family()
        first, second = self.register(family, "t-1"), self.register(family, "t-2")
        assert first != second
        assert self.who(family, "t-1") == first
        assert self.who(family, "t-2") == second
        assert self.who(family, "t-3") is None
        assert self.who(family, "") is None

    def test_it_names_nobody_who_is_not_above(self) -> None:
        family = Family()
        stranger = family.world.kernel.spawn(name="codex")
        owner = family.world.probe.capture(stranger.pid, socket_path=None, thread_id="t-1")
        family.world.register(owner)
        assert family.desk().who({"CODEX_THREAD_ID": "t-1"}, "") == ScriptCaller()

    def test_a_session_without_threads_is_found_whatever_the_variable_says(self) -> None:
        family = Family()
        key = family.register(family.harness.pid)
        assert self.who(family, "t-1") == key
