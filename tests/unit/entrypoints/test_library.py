"""The library that other tools embed, on files and in memory: the same story, the same rules."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

import tidings as tidings_package
from support.project import run_python
from tidings import InboxMessage, Member, Receipt, Refused, Tidings
from tidings.domain.messages.room import StoreLimits
from tidings.entrypoints.application import Application
from tidings.entrypoints.twin import MemoryPorts
from tidings.ports import errors
from tidings.ports.errors import (
    Ambiguous,
    NotFound,
    NotRunning,
    OwnerUnprovable,
    StateUnreadable,
    UsageError,
)

DAY = timedelta(days=1)


@pytest.fixture(params=["files", "memory"])
def tidings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tidings]:
    is_memory = request.param == "memory"
    with Tidings.in_memory() if is_memory else Tidings.open(str(tmp_path / "state")) as opened:
        yield opened


def accepted(outcome: Receipt | Refused) -> Receipt:
    assert isinstance(outcome, Receipt), outcome
    return outcome


def refused(outcome: Receipt | Refused) -> Refused:
    assert isinstance(outcome, Refused), outcome
    return outcome


def test_a_member_leaves_a_notice_that_is_no_message(tidings: Tidings) -> None:
    api, front = tidings.join("api"), tidings.join("front")
    api.arm(kinds=["notice"])
    assert refused(front.send("api", "re-run your tests")).reason == "target-not-armed"
    receipt = accepted(front.notify("api", "the build is green", key="build", wake=True))
    assert (receipt.state, receipt.reason) == ("held", "awaiting-pull")
    newer = accepted(front.notify("api", "the build is red", key="build", ref="build-7"))
    again = accepted(front.notify("api", "the build is red", key="build", ref="build-7"))
    assert (newer.ref, again.ref, again.replayed) == ("build-7", "build-7", True)
    assert tidings.show(receipt.ref).reason == "superseded-by-newer"
    (letter,) = api.inbox()
    assert (letter.text, letter.sender) == ("the build is red", "front")
    assert refused(front.notify("front", "a note to self")).reason == "self-send"
    with pytest.raises(UsageError):
        front.notify("api", "x", wake="yes")  # type: ignore[arg-type]


def test_the_story_of_the_readme(tidings: Tidings) -> None:
    api, front = tidings.join("api"), tidings.join("front")
    assert refused(front.send("api", "re-run your tests")).reason == "target-not-armed"
    api.arm(senders=["front"])
    receipt = accepted(front.send("api", "re-run your tests", ttl=timedelta(minutes=30)))
    assert (receipt.state, receipt.reason) == ("held", "awaiting-pull")
    (letter,) = api.inbox()
    assert letter == InboxMessage(
        ref=receipt.ref,
        sender="front",
        proof=letter.proof,
        text="re-run your tests",
        reply_to=letter.reply_to,
    )
    assert api.inbox() == ()
    progress = tidings.wait(receipt.ref, timeout=5)
    assert (progress.reached, progress.state) == (True, "delivered")
    accepted(api.answer(letter.ref, "all green"))
    progress = tidings.wait(receipt.ref, until="answered", timeout=5)
    assert (progress.reached, progress.evidence, progress.answer) == (True, "answered", "all green")
    (answer,) = front.inbox()
    assert (answer.sender, answer.text) == ("api", "all green")


def test_a_timeout_is_a_value(tidings: Tidings) -> None:
    api, front = tidings.join("api"), tidings.join("front")
    api.arm()
    ref = accepted(front.send("api", "hello")).ref
    for timeout in (0, -1.0, timedelta(0), timedelta(milliseconds=20)):
        progress = tidings.wait(ref, until="seen", timeout=timeout)
        assert (progress.reached, progress.state) == (False, "held")


@pytest.mark.parametrize("timeout", [float("nan"), float("inf"), -float("inf")])
def test_a_wait_without_an_end_is_refused(timeout: float) -> None:
    tidings = Tidings.in_memory()
    tidings.join("api").arm()
    ref = accepted(tidings.join("front").send("api", "hello")).ref
    with pytest.raises(UsageError):
        tidings.wait(ref, timeout=timeout)
    with pytest.raises(UsageError):
        tidings.wait(ref, until="later")  # type: ignore[arg-type]


def test_what_is_unknown_is_an_error_and_creates_nothing(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with Tidings.open(str(state)) as tidings:
        assert tidings.sessions() == ()
        with pytest.raises(NotFound):
            tidings.show("mabcdefg")
    assert not state.exists()


def test_joining_twice_is_the_same_agent_and_two_names_are_two(tidings: Tidings) -> None:
    first, other = tidings.join("mux"), tidings.join("mux two")
    assert tidings.join("mux") is first
    assert (first.address, other.address) == ("mux", "mux-two")
    assert first.agent_uid != other.agent_uid
    assert {one.address for one in tidings.sessions()} == {"mux", "mux-two"}


def test_a_name_that_is_taken_gets_a_number(tidings: Tidings) -> None:
    assert tidings.join("mux").address == "mux"
    assert tidings.join("MUX").address == "mux-2"


@pytest.mark.parametrize("name", ["", "  "])
def test_an_agent_needs_a_name(tidings: Tidings, name: str) -> None:
    with pytest.raises(UsageError):
        tidings.join(name)


def test_a_name_that_is_too_long_is_none_and_nothing_is_kept(tidings: Tidings) -> None:
    with pytest.raises(UsageError, match="128"):
        tidings.join("z" * 129)
    assert tidings.sessions() == ()
    tidings.join("z" * 128).arm()


def test_a_grant_names_each_sender_once_and_64_at_most(tidings: Tidings) -> None:
    api, front = tidings.join("api"), tidings.join("front")
    senders = ["front", "you", f"agent:{front.agent_uid}"] * 7_000
    scope = api.arm(senders=senders, kinds=["agent"] * 20_000).scope
    assert (scope.senders, scope.kinds) == ((f"agent:{front.agent_uid}", "you"), ("agent",))
    with pytest.raises(UsageError, match="64"):
        api.arm(senders=[f"agent:{number}" for number in range(65)])
    accepted(front.send("api", "still heard"))


SURROGATE = "caf\udce9"


WITH_SURROGATE: list[Callable[[Tidings, Member], object]] = [
    lambda tidings, _me: tidings.join(SURROGATE),
    lambda tidings, _me: tidings.operator(SURROGATE),
    lambda tidings, _me: tidings.show(SURROGATE),
    lambda tidings, _me: tidings.wait(SURROGATE),
    lambda tidings, _me: tidings.wait("m1", until=SURROGATE),  # type: ignore[arg-type]
    lambda tidings, _me: tidings.backup("\ud800"),
    lambda tidings, _me: tidings.export_history("a\0b"),
    lambda tidings, _me: tidings.operator("mux").send(SURROGATE, "hello"),
    lambda _tidings, me: me.send(SURROGATE, "hello"),
    lambda _tidings, me: me.send("mux", "hello", ref=SURROGATE),
    lambda _tidings, me: me.send("mux", "hello", key=SURROGATE),
    lambda _tidings, me: me.send("mux", "hello", when=SURROGATE),  # type: ignore[arg-type]
    lambda _tidings, me: me.answer(SURROGATE, "hello"),
    lambda _tidings, me: me.arm(senders=[SURROGATE]),
    lambda _tidings, me: me.arm(kinds=[SURROGATE]),
]


@pytest.mark.parametrize("call", WITH_SURROGATE)
def test_a_text_that_utf8_cannot_hold_is_a_usage_error_everywhere(
    tidings: Tidings, call: Callable[[Tidings, Member], object]
) -> None:
    me = tidings.join("mux")
    me.arm()
    with pytest.raises(UsageError):
        call(tidings, me)


def test_a_home_that_is_no_path_is_a_usage_error() -> None:
    for home in ("\ud800", "a\0b", b"/x", 7):
        with pytest.raises(UsageError):
            Tidings.open(home)  # type: ignore[arg-type]


def test_who_left_is_known_but_not_running(tidings: Tidings) -> None:
    api, front = tidings.join("api"), tidings.join("front")
    api.arm()
    ref = accepted(front.send("api", "hello")).ref
    api.leave()
    api.leave()
    assert [one.address for one in tidings.sessions()] == ["front"]
    assert (tidings.show(ref).state, tidings.show(ref).reason) == (
        "stale",
        "target-activation-stale",
    )
    with pytest.raises(NotRunning):
        front.send("api", "hello")
    with pytest.raises(NotRunning):
        api.send("front", "hello")
    assert api.inbox() == ()


def test_closing_ends_what_was_joined_and_a_new_run_is_the_same_agent(tmp_path: Path) -> None:
    with Tidings.open(str(tmp_path)) as tidings:
        first = tidings.join("mux")
    tidings.close()
    with Tidings.open(str(tmp_path)) as again:
        assert again.sessions() == ()
        second = again.join("mux")
        assert (second.agent_uid, second.address) == (first.agent_uid, "mux")
        assert len(again.sessions()) == 1


def test_an_agent_ends_with_its_process(tmp_path: Path) -> None:
    program = f"""
from tidings import Tidings
print(Tidings.open({str(tmp_path)!r}).join("mux").agent_uid)
"""
    uid = run_python("-c", program).stdout.strip()
    with Tidings.open(str(tmp_path)) as tidings:
        assert tidings.sessions() == ()
        with pytest.raises(NotRunning):
            tidings.join("front").send(f"agent:{uid}", "hello")


@pytest.mark.parametrize(
    ("ttl", "is_valid"),
    [
        (timedelta(microseconds=1), True),
        (7 * DAY, True),
        (7 * DAY + timedelta(microseconds=1), False),
        (timedelta(0), False),
        (-DAY, False),
        (timedelta.max, False),
    ],
)
def test_the_longest_life_is_seven_days(tidings: Tidings, ttl: timedelta, is_valid: bool) -> None:
    tidings.join("api").arm()
    outcome = tidings.join("front").send("api", "hello", ttl=ttl)
    if is_valid:
        receipt = accepted(outcome)
        life_ns = receipt.deadline_ns - receipt.accepted_at_ns
        assert life_ns == (ttl // timedelta(microseconds=1)) * 1000
    else:
        assert refused(outcome).reason == "envelope-qualification-invalid"


def test_the_same_ref_is_the_same_message(tidings: Tidings) -> None:
    api, front = tidings.join("api"), tidings.join("front")
    api.arm()
    first = accepted(front.send("api", "hello", ref="pr-412"))
    again = accepted(front.send("api", "hello", ref="pr-412"))
    assert (first.replayed, again.replayed) == (False, True)
    assert refused(front.send("api", "other", ref="pr-412")).reason == "ref-envelope-mismatch"
    assert len(api.inbox()) == 1


@pytest.mark.case("M105")
def test_the_same_ref_from_sixteen_at_once_is_one_message(tmp_path: Path) -> None:
    state = str(tmp_path)
    with Tidings.open(state) as tidings:
        api, front = tidings.join("api"), tidings.join("front")
        api.arm()

        def send(_number: int) -> Receipt:
            """As another thread with a view of its own; the same name is the same agent."""
            return accepted(Tidings.open(state).join("front").send("api", "x", ref="r-1"))

        with ThreadPoolExecutor(16) as pool:
            receipts = list(pool.map(send, range(16)))
        assert sum(not receipt.replayed for receipt in receipts) == 1
        assert {(one.ref, one.accepted_at_ns, one.state) for one in receipts} == {
            ("r-1", receipts[0].accepted_at_ns, "held")
        }
        again = [accepted(front.send("api", "x", ref="r-1")) for _ in range(2)]
        assert again[0] == again[1]
        assert len(api.inbox()) == 1


@pytest.mark.case("M111")
def test_a_retry_is_answered_from_the_store_after_its_target_has_ended(tidings: Tidings) -> None:
    api, front = tidings.join("api"), tidings.join("front")
    api.arm()
    front.send("api", "hello", ref="pr-412")
    api.leave()
    replays = [accepted(front.send("api", "hello", ref="pr-412")) for _ in range(2)]
    assert replays[0] == replays[1]
    assert (replays[0].state, replays[0].replayed, replays[0].exit_code) == ("stale", True, 1)
    with pytest.raises(NotRunning):
        front.send("api", "hello", ref="pr-413")


@pytest.mark.parametrize("text", ["", "  \n", "x" * 65_537, "a\0b", "caf\udce9"])
def test_a_text_that_no_message_can_hold_is_refused(tidings: Tidings, text: str) -> None:
    tidings.join("api").arm()
    assert refused(tidings.join("front").send("api", text)).exit_code == 2


def test_to_oneself_nothing_is_sent(tidings: Tidings) -> None:
    me = tidings.join("mux")
    me.arm()
    assert refused(me.send("mux", "hello")).reason == "self-send"


def test_consent_is_scoped_and_taken_back(tidings: Tidings) -> None:
    api, front, other = (tidings.join(name) for name in ("api", "front", "other"))
    api.arm(senders=["front"], duration=timedelta(hours=1))
    accepted(front.send("api", "one"))
    assert refused(other.send("api", "two")).reason == "target-not-armed"
    assert api.disarm()
    assert refused(front.send("api", "three")).reason == "target-not-armed"
    assert api.inbox() == ()


def test_nobody_is_not_everybody(tidings: Tidings) -> None:
    api, front = tidings.join("api"), tidings.join("front")
    api.arm(senders=[])
    assert refused(front.send("api", "hello")).reason == "target-not-armed"
    api.arm(kinds=[])
    assert refused(front.send("api", "hello")).reason == "target-not-armed"


def test_a_grant_that_makes_no_sense_is_none(tidings: Tidings) -> None:
    api, front = tidings.join("api"), tidings.join("front")
    for duration in (timedelta(0), -DAY):
        with pytest.raises(UsageError):
            api.arm(duration=duration)
    with pytest.raises(UsageError):
        api.arm(kinds=["gossip"])
    with pytest.raises(NotFound):
        api.arm(senders=["nobody"])
    assert refused(front.send("api", "hello")).reason == "target-not-armed"


def test_at_most_so_many_letters_are_taken_and_in_order(tidings: Tidings) -> None:
    api, front = tidings.join("api"), tidings.join("front")
    api.arm()
    for number in range(5):
        accepted(front.send("api", f"number {number}"))
    assert [one.text for one in api.inbox(limit=2)] == ["number 0", "number 1"]
    assert api.inbox(limit=0) == ()
    assert [one.text for one in api.inbox()] == ["number 2", "number 3", "number 4"]


@pytest.mark.case("SP25")
def test_a_long_text_is_pulled_whole_byte_for_byte(tidings: Tidings) -> None:
    api, front = tidings.join("api"), tidings.join("front")
    api.arm()
    text = "é\n<x>\x1b" * 9_000
    text += "x" * (65_536 - len(text.encode()))
    accepted(front.send("api", text))
    assert [one.text for one in api.inbox()] == [text]
    assert refused(front.send("api", text + "x")).reason == "envelope-payload-too-large"
    assert api.inbox() == ()


def test_only_the_one_who_was_asked_answers_and_only_once(tidings: Tidings) -> None:
    api, front, other = (tidings.join(name) for name in ("api", "front", "other"))
    api.arm()
    ref = accepted(front.send("api", "hello")).ref
    assert refused(api.answer(ref, "early")).reason == "reply-original-not-delivered"
    api.inbox()
    assert isinstance(other.answer(ref, "not mine"), Refused)
    assert refused(api.answer(ref, " ")).exit_code == 2
    accepted(api.answer(ref, "yes"))
    assert refused(api.answer(ref, "again")).reason == "reply-already-committed"
    assert refused(api.answer("m" + "0" * 28, "what")).reason == "reply-original-not-found"


def test_an_embedder_shows_in_the_list_as_what_it_is(tidings: Tidings) -> None:
    member = tidings.join("mux")
    (row,) = tidings.sessions()
    assert (row.address, row.provider, row.liveness, row.consent) == (
        "mux",
        "process",
        "alive",
        "none",
    )
    member.arm()
    assert tidings.sessions()[0].consent == "armed"


def test_a_removed_working_folder_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with Tidings.open(str(tmp_path / "state")) as tidings:
        api = tidings.join("api")
        api.arm()
        accepted(tidings.join("front").send("api", "hello"))
        assert [one.text for one in api.inbox()] == ["hello"]


def test_state_that_cannot_be_read_is_an_error_and_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "tidings.db").write_bytes(b"this is no database at all" * 100)
    before = (tmp_path / "tidings.db").read_bytes()
    with Tidings.open(str(tmp_path)) as tidings:
        with pytest.raises(StateUnreadable):
            tidings.sessions()
        with pytest.raises(StateUnreadable):
            tidings.join("mux")
    assert (tmp_path / "tidings.db").read_bytes() == before


def test_a_platform_without_proof_of_birth_has_no_agents() -> None:
    ports = MemoryPorts()
    ports.processes.kernel.lose_start(ports.processes.self_pid())
    with pytest.raises(OwnerUnprovable):
        Tidings(Application(ports)).join("mux")


def test_importing_touches_nothing_and_the_names_are_all_there(tmp_path: Path) -> None:
    program = """
import os, signal, sys, threading
before = dict(os.environ), os.getcwd(), signal.getsignal(signal.SIGTERM)
import tidings
assert not any(name.startswith("tidings.") for name in sys.modules), "import must be lazy"
for name in tidings.__all__:
    getattr(tidings, name)
assert (dict(os.environ), os.getcwd(), signal.getsignal(signal.SIGTERM)) == before
assert threading.active_count() == 1
try:
    tidings.nothing
except AttributeError as fault:
    print(fault)
"""
    done = run_python("-c", program, env={"HOME": str(tmp_path)})
    assert (done.stdout, done.stderr) == ("module 'tidings' has no attribute 'nothing'\n", "")
    assert list(tmp_path.iterdir()) == []


def test_every_error_is_a_public_name() -> None:
    kinds = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.TidingsError)
    }
    assert kinds - set(tidings_package.__all__) == {"OutputFailed"}, "the library prints nothing"
    for name in kinds & set(tidings_package.__all__):
        assert getattr(tidings_package, name) is getattr(errors, name)


def test_an_error_as_text_says_what_to_do() -> None:
    with Tidings.in_memory() as tidings:
        front = tidings.join("front")
        with pytest.raises(NotFound) as caught:
            front.send("frond", "hello")
    assert str(caught.value) == "no session is called frond (did you mean front?)"
    several = Ambiguous("m names 2", candidates=["m1", "m2"], next_step="type more")
    assert str(several) == "m names 2: m1, m2 (type more)"
    assert str(UsageError("blank")) == "blank"


WRONG: list[tuple[str, tuple[object, ...], dict[str, object]]] = [
    ("send", ("api", "hello"), {"ttl": 5}),
    ("send", ("api", "hello"), {"ttl": "30m"}),
    ("send", ("api", b"hello"), {}),
    ("send", (None, "hello"), {}),
    ("send", ("api", "hello"), {"ref": 7}),
    ("answer", (7, "hello"), {}),
    ("answer", ("mabcdef", None), {}),
    ("inbox", (), {"limit": "all"}),
    ("arm", (), {"senders": "api"}),
    ("arm", (), {"senders": 7}),
    ("arm", (), {"senders": [7]}),
    ("arm", (), {"kinds": "agent"}),
    ("arm", (), {"duration": 3600}),
]


@pytest.mark.parametrize(("verb", "words", "options"), WRONG)
def test_a_value_of_another_type_is_told_what_is_expected(
    verb: str, words: tuple[object, ...], options: dict[str, object]
) -> None:
    tidings = Tidings.in_memory()
    tidings.join("api").arm()
    member = tidings.join("front")
    with pytest.raises(UsageError, match=r"(is|are) .+, not (int|str|bytes|NoneType)$"):
        getattr(member, verb)(*words, **options)


@pytest.mark.parametrize("timeout", ["5", None, 10**400])
def test_a_timeout_of_another_type_or_without_an_end_is_a_usage_error(timeout: float) -> None:
    tidings = Tidings.in_memory()
    tidings.join("api").arm()
    ref = accepted(tidings.join("front").send("api", "hello")).ref
    with pytest.raises(UsageError):
        tidings.wait(ref, timeout=timeout)
    for wrong in (7, None):
        with pytest.raises(UsageError):
            tidings.show(wrong)  # type: ignore[arg-type]
        with pytest.raises(UsageError):
            tidings.join(wrong)  # type: ignore[arg-type]


def test_the_advice_against_a_message_to_oneself_names_an_option_of_the_library() -> None:
    tool = Tidings.in_memory().join("tool")
    tool.arm()
    assert "allow_self=True" in refused(tool.send("tool", "a note")).next_step
    assert accepted(tool.send("tool", "a note", allow_self=True)).state == "held"
    (note,) = tool.inbox()
    assert (note.sender, note.text) == ("tool", "a note")


def test_what_became_of_a_message_that_left_is_still_told() -> None:
    tidings = Tidings(Application(MemoryPorts(), limits=StoreLimits(records=2)))
    api, front = tidings.join("api"), tidings.join("front")
    refs: list[str] = []
    for number in range(3):
        api.arm()
        refs.append(accepted(front.send("api", f"job {number}")).ref)
        api.disarm()
    shown = tidings.show(refs[0])
    assert (shown.ref, shown.state, shown.reason) == (refs[0], "refused", "consent-withdrawn")
    assert tidings.wait(refs[0], timeout=0).reached
    waited = tidings.wait(refs[0], until="answered", timeout=600)
    assert (waited.reached, waited.state, waited.answer) == (False, "refused", None)
