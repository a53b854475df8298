"""S 3.1 and 3.2 as decision tables, and D3's additions to them."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.owners import place_with
from tidings.adapters.memory.processes import HOME
from tidings.domain.identity.owner import (
    SessionOwner,
    SocketIdentity,
    combine,
    judge_owner,
    judge_process,
    judge_socket,
)
from tidings.ports.processes import (
    Place,
    ProcessBirth,
    ProcessFact,
    ProcessGone,
    ProcessSeen,
    ProcessUnreadable,
)
from tidings.ports.sockets import SocketFact, SocketMissing, SocketNode, SocketUnreadable
from tidings.ports.tokens import Verdict

ALIVE, DEAD, UNKNOWN = Verdict.ALIVE, Verdict.DEAD, Verdict.UNKNOWN
PATH = "/run/9.sock"
BIRTH = ProcessBirth(pid=9, uid=1000, start="linux:boot-1:77")
SEEN = ProcessSeen(birth=BIRTH, parent_pid=1, state="S", tasks=3, name="claude")
SOCKET = SocketIdentity(path=PATH, device=7, inode=101, mtime_ns=5)
NODE = SocketNode(
    path=PATH, device=7, inode=101, mtime_ns=5, mode=0o140600, uid=1000, is_socket=True
)
ELSEWHERE = replace(HOME, machine_id="machine-2")


def seen(
    *,
    start: str = BIRTH.start,
    uid: int = BIRTH.uid,
    state: str = SEEN.state,
    tasks: int = SEEN.tasks,
) -> ProcessSeen:
    """The recorded process with some of its facts changed."""
    birth = replace(BIRTH, start=start, uid=uid)
    return replace(SEEN, birth=birth, state=state, tasks=tasks)


PROCESS_TABLE: list[tuple[str, ProcessBirth, ProcessFact, Verdict]] = [
    ("the recorded process", BIRTH, SEEN, ALIVE),
    ("gone by the kernel's word", BIRTH, ProcessGone(pid=9), DEAD),
    ("no answer", BIRTH, ProcessUnreadable(pid=9, why="permission denied"), UNKNOWN),
    ("another start", BIRTH, seen(start="linux:boot-1:78"), DEAD),
    ("another user at the same start", BIRTH, seen(uid=0), UNKNOWN),
    ("no start recorded", replace(BIRTH, start=""), SEEN, UNKNOWN),
    ("no start to read", BIRTH, seen(start=""), UNKNOWN),
    ("a zombie with one task", BIRTH, seen(state="Z", tasks=1), DEAD),
    ("a zombie that is being reaped", BIRTH, seen(state="Z", tasks=0), DEAD),
    ("a zombie whose threads still work", BIRTH, seen(state="Z", tasks=2), ALIVE),
    ("a dead state", BIRTH, seen(state="X"), DEAD),
]


@pytest.mark.parametrize(
    ("birth", "fact", "verdict"),
    [row[1:] for row in PROCESS_TABLE],
    ids=[row[0] for row in PROCESS_TABLE],
)
def test_what_the_kernel_says_of_a_process(
    birth: ProcessBirth, fact: ProcessFact, verdict: Verdict
) -> None:
    assert judge_process(birth, HOME, fact=fact, here=HOME).verdict is verdict


@pytest.mark.case("SX13")
def test_a_zombie_without_a_start_token_is_dead() -> None:
    zombie = seen(state="Z", tasks=1, start="")
    unnamed = replace(BIRTH, start="")
    assert judge_process(unnamed, HOME, fact=zombie, here=HOME).verdict is DEAD


@pytest.mark.case("R4")
def test_a_process_in_the_dead_state_counts_as_absent() -> None:
    assert judge_process(BIRTH, HOME, fact=seen(state="X"), here=HOME).verdict is DEAD


@pytest.mark.case("R6")
def test_an_unreadable_entry_is_inconclusive() -> None:
    fact = ProcessUnreadable(pid=9, why="permission denied")
    signal = judge_process(BIRTH, HOME, fact=fact, here=HOME)
    assert (signal.verdict, signal.evidence) == (UNKNOWN, "permission denied")


@pytest.mark.case("R10")
def test_equal_ticks_after_a_reboot_are_another_process() -> None:
    rebooted = replace(HOME, boot_id="boot-2")
    fact = seen(start="linux:boot-2:77")
    assert judge_process(BIRTH, HOME, fact=fact, here=rebooted).verdict is DEAD


SOCKET_TABLE: list[tuple[str, SocketIdentity, SocketFact, Verdict]] = [
    ("s1 missing", SOCKET, SocketMissing(path=PATH), DEAD),
    ("s2 unreadable", SOCKET, SocketUnreadable(path=PATH, why="permission denied"), UNKNOWN),
    ("s3 no mtime recorded", replace(SOCKET, mtime_ns=0), replace(NODE, mtime_ns=0), DEAD),
    ("s3 no inode recorded", replace(SOCKET, inode=0), replace(NODE, inode=0), DEAD),
    ("s4 all equal", SOCKET, NODE, ALIVE),
    ("s5 another inode", SOCKET, replace(NODE, inode=102), DEAD),
    ("s5 another device", SOCKET, replace(NODE, device=8), DEAD),
    ("s7 another mtime", SOCKET, replace(NODE, mtime_ns=6), DEAD),
    ("a file in its place", SOCKET, replace(NODE, is_socket=False), DEAD),
]


@pytest.mark.parametrize(
    ("socket", "fact", "verdict"),
    [row[1:] for row in SOCKET_TABLE],
    ids=[row[0] for row in SOCKET_TABLE],
)
def test_what_the_file_system_says_of_a_socket(
    socket: SocketIdentity, fact: SocketFact, verdict: Verdict
) -> None:
    assert judge_socket(socket, HOME, fact=fact, here=HOME).verdict is verdict


@pytest.mark.case("S25")
def test_a_socket_recorded_without_identity_is_dead() -> None:
    nameless = replace(SOCKET, inode=0, mtime_ns=0)
    assert judge_socket(nameless, HOME, fact=NODE, here=HOME).verdict is DEAD


@pytest.mark.case("S26")
def test_another_inode_under_the_same_mtime_is_dead() -> None:
    other = replace(NODE, inode=102)
    assert judge_socket(SOCKET, HOME, fact=other, here=HOME).verdict is DEAD


@pytest.mark.case("SX3")
def test_the_same_inode_with_a_new_mtime_is_dead() -> None:
    rebound = replace(NODE, mtime_ns=NODE.mtime_ns + 1)
    assert judge_socket(SOCKET, HOME, fact=rebound, here=HOME).verdict is DEAD


COMBINATIONS = [  # S 3.2: (socket, process) -> verdict
    (None, None, DEAD), (None, ALIVE, ALIVE), (None, DEAD, DEAD), (None, UNKNOWN, UNKNOWN),
    (ALIVE, None, ALIVE), (ALIVE, ALIVE, ALIVE), (ALIVE, DEAD, DEAD), (ALIVE, UNKNOWN, UNKNOWN),
    (DEAD, None, DEAD), (DEAD, ALIVE, DEAD), (DEAD, DEAD, DEAD), (DEAD, UNKNOWN, DEAD),
    (UNKNOWN, None, UNKNOWN), (UNKNOWN, ALIVE, UNKNOWN), (UNKNOWN, DEAD, DEAD),
    (UNKNOWN, UNKNOWN, UNKNOWN),
]  # fmt: skip


@pytest.mark.case("S15", "S16", "S21")
@pytest.mark.parametrize(("socket", "process", "verdict"), COMBINATIONS)
def test_signals_combine(socket: Verdict | None, process: Verdict | None, verdict: Verdict) -> None:
    recorded = [signal for signal in (socket, process) if signal is not None]
    assert combine(*recorded) is verdict


@settings(max_examples=50)
@given(st.lists(st.sampled_from(list(Verdict)), max_size=5))
def test_alive_needs_every_signal_and_dead_needs_one(signals: list[Verdict]) -> None:
    verdict = combine(*signals)
    assert (verdict is ALIVE) == (bool(signals) and set(signals) == {ALIVE})
    assert (verdict is DEAD) == (not signals or DEAD in signals)


FOREIGN = ("machine_id", "host", "boot_id", "pid_namespace")


@pytest.mark.parametrize("field", FOREIGN)
@pytest.mark.parametrize("value", ["another", ""])
@pytest.mark.parametrize("fact", [SEEN, ProcessGone(pid=9), seen(start="linux:boot-1:78")])
def test_a_process_seen_from_elsewhere_is_unknown(
    field: str, value: str, fact: ProcessFact
) -> None:
    here = place_with(HOME, initial_pid_namespace=False, **{field: value})
    assert judge_process(BIRTH, HOME, fact=fact, here=here).verdict is UNKNOWN


@pytest.mark.parametrize("field", ["machine_id", "host", "boot_id", "mount_namespace"])
@pytest.mark.parametrize("fact", [NODE, SocketMissing(path=PATH), replace(NODE, inode=102)])
def test_a_socket_seen_from_another_file_tree_is_unknown(field: str, fact: SocketFact) -> None:
    here = place_with(HOME, **{field: "another"})
    assert judge_socket(SOCKET, HOME, fact=fact, here=here).verdict is UNKNOWN


BOOT_GATES = ["initial_pid_namespace", "state_is_local"]


@pytest.mark.parametrize("closed", [*product(BOOT_GATES, ("recorded", "here")), None])
def test_an_earlier_boot_is_dead_only_where_both_sides_prove_the_machine(
    closed: tuple[str, str] | None,
) -> None:
    recorded, here = HOME, replace(HOME, boot_id="boot-2")
    if closed is not None and closed[1] == "recorded":
        recorded = place_with(recorded, **{closed[0]: False})
    elif closed is not None:
        here = place_with(here, **{closed[0]: False})
    verdict = judge_process(BIRTH, recorded, fact=ProcessGone(pid=9), here=here).verdict
    assert verdict is (DEAD if closed is None else UNKNOWN)


def test_two_containers_on_one_home_do_not_judge_each_other() -> None:
    theirs = replace(HOME, pid_namespace="pid:[2]", initial_pid_namespace=False)
    mine = replace(theirs, pid_namespace="pid:[3]")
    verdict = judge_process(BIRTH, theirs, fact=ProcessGone(pid=9), here=mine).verdict
    assert verdict is UNKNOWN


def test_a_socket_that_was_not_looked_at_is_unknown() -> None:
    owner = SessionOwner(birth=BIRTH, place=HOME, socket=SOCKET)
    liveness = judge_owner(owner, process=SEEN, socket=None, here=HOME)
    assert liveness.verdict is UNKNOWN


def test_the_evidence_names_every_signal() -> None:
    owner = SessionOwner(birth=BIRTH, place=HOME, socket=SOCKET)
    liveness = judge_owner(owner, process=SEEN, socket=SocketMissing(path=PATH), here=HOME)
    assert [(s.name, s.verdict) for s in liveness.signals] == [
        ("process", ALIVE),
        ("socket", DEAD),
    ]
    assert "the node is gone" in liveness.why
    assert not liveness.process_is_dead


places = st.builds(
    Place,
    machine_id=st.sampled_from(["", "m1", "m2"]),
    host=st.sampled_from(["", "h1"]),
    boot_id=st.sampled_from(["", "b1", "b2"]),
    pid_namespace=st.sampled_from(["", "p1", "p2"]),
    mount_namespace=st.sampled_from(["", "n1"]),
    initial_pid_namespace=st.booleans(),
    state_is_local=st.booleans(),
)
facts = st.sampled_from([row[2] for row in PROCESS_TABLE])


@settings(max_examples=300)
@given(recorded=places, here=places, fact=facts)
def test_neither_life_nor_death_is_ever_guessed(
    recorded: Place, here: Place, fact: ProcessFact
) -> None:
    """Promise P2, over every place: alive needs the recorded birth on the same kernel, dead needs
    the kernel's word there or an earlier boot."""
    verdict = judge_process(BIRTH, recorded, fact=fact, here=here).verdict
    ids = (here.machine_id, here.host, here.boot_id, here.pid_namespace)
    same_kernel = all(ids) and ids == (
        recorded.machine_id, recorded.host, recorded.boot_id, recorded.pid_namespace
    )  # fmt: skip
    if verdict is ALIVE:
        assert same_kernel
        assert isinstance(fact, ProcessSeen)
        assert fact.birth == BIRTH
    if verdict is DEAD and not same_kernel:
        assert recorded.boot_id != here.boot_id
        assert recorded.state_is_local
        assert here.initial_pid_namespace
