"""The hook as a real process: what it writes, where, and for whom (D10, D11)."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from support.hook_events import SESSION, payload, question, record, recorded, tool
from support.hook_process import HOOK, Harness, key_of
from support.waiting import until
from tidings.adapters.files.doorbells import listen
from tidings.adapters.memory.sockets import MemorySocketNodes
from tidings.adapters.processes.native import native_processes
from tidings.adapters.wire import kernel_facts
from tidings.domain.identity.probe import OwnerProbe
from tidings.domain.interaction.prompt_text import digest_text
from tidings.entrypoints.hook import events_folder
from tidings.entrypoints.places import find_places
from tidings.ports.codec import Document
from tidings.ports.tokens import Ring

REF = "m0123456789abcdefghjkmnpqrstv"


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    return Harness(home=tmp_path)


@pytest.mark.case("F94")
@pytest.mark.parametrize("client", ["claude", "codex"])
def test_every_recorded_payload_is_taken_without_a_word(harness: Harness, client: str) -> None:
    """Exit code 0 and no output, so no decision and no context, whatever the event (see ``hook``)."""
    expected: list[str] = []
    for row in recorded(client):
        given = row["stdin"]
        assert isinstance(given, dict)
        harness.hook(given, client)
        if record(given, tick=1, client=client) is not None:
            expected.append(str(row["event"]))
    spools = sorted(harness.events.glob("*.jsonl"))
    told = [event.name for spool in spools for event in harness.told(spool)]
    assert sorted(told) == sorted(expected)
    assert len(expected) > 10


@pytest.mark.case("R241")
def test_a_hook_finds_its_session_by_its_parent_process(harness: Harness) -> None:
    harness.hook(tool("PermissionRequest") | {"cwd": "/elsewhere", "session_id": "another"})
    assert [event.session_id for event in harness.told()] == ["another"]
    assert [path.name for path in harness.events.iterdir()] == [f"{key_of(os.getpid())}.jsonl"]


def test_its_spool_has_the_key_of_the_sessions_owner(harness: Harness) -> None:
    """Record, consent mark, locks and spool have one name (D2)."""
    processes = native_processes(state_folder=str(harness.home))
    owner = OwnerProbe(processes=processes, sockets=MemorySocketNodes()).capture(
        os.getpid(), socket_path=None
    )
    harness.hook(payload("Stop"))
    assert harness.spool.stem == owner.key
    assert [event.name for event in harness.told()] == ["Stop"]


def test_its_record_carries_the_start_of_its_process(harness: Harness) -> None:
    before = kernel_facts.boottime_ns()
    harness.hook(payload("Stop"))
    after = kernel_facts.boottime_ns()
    (event,) = harness.told()
    assert before - 10_000_000 <= event.started_at_ns <= after


def test_one_shell_may_stand_between(harness: Harness) -> None:
    line = f"{shlex.join(HOOK)} claude; :"
    harness.hook(payload("Stop"), command=("/bin/sh", "-c", line))
    assert [event.name for event in harness.told()] == ["Stop"]


def test_with_a_shell_between_the_shells_start_counts(harness: Harness) -> None:
    """The harness started that one; what the shell starts may come late on a crowded machine."""
    before = kernel_facts.boottime_ns()
    line = f"read _; {shlex.join(HOOK)} claude; :"
    given = b"a line that the shell waits for\n" + json.dumps(payload("Stop")).encode()
    shell = subprocess.Popen(
        ["/bin/sh", "-c", line], stdin=subprocess.PIPE, env=harness.environment
    )
    shells_start = kernel_facts.start_ns(shell.pid)
    until(lambda: kernel_facts.boottime_ns() > shells_start + 50_000_000, 15, "some ticks")
    shell.communicate(given, timeout=20)
    (event,) = harness.told()
    assert before - 10_000_000 <= event.started_at_ns == shells_start


def test_a_hook_that_begins_with_exec_has_the_harness_as_parent(harness: Harness) -> None:
    line = f"[ -x {sys.executable} ] || exit 0; exec {shlex.join(HOOK)} claude"
    harness.hook(payload("Stop"), command=("/bin/sh", "-c", line))
    assert [event.name for event in harness.told()] == ["Stop"]


def test_two_processes_between_are_one_too_many(harness: Harness) -> None:
    inner = f"{shlex.join(HOOK)} claude; :"
    outer = f"/bin/sh -c {shlex.quote(inner)}; :"
    harness.hook(payload("Stop"), command=("/bin/sh", "-c", outer))
    assert not harness.events.exists()


@pytest.mark.case("R76")
@pytest.mark.parametrize("claimed", ["1", "", "x", "-1", None])
def test_a_harness_that_is_not_the_parent_is_not_believed(
    harness: Harness, claimed: str | None
) -> None:
    harness.environment.pop("CLAUDE_PID")
    harness.environment |= {} if claimed is None else {"CLAUDE_PID": claimed}
    harness.hook(payload("Stop"))
    assert not harness.events.exists()


def test_codex_threads_of_one_process_are_apart(harness: Harness) -> None:
    harness.environment.pop("CLAUDE_PID")
    for thread in ("t-1", "t-2"):
        harness.hook(payload("Stop") | {"session_id": thread}, "codex")
    for thread in ("t-1", "t-2"):
        spool = harness.events / f"{key_of(os.getpid(), thread=thread)}.jsonl"
        assert [event.session_id for event in harness.told(spool)] == [thread]


@pytest.mark.case("R69")
@pytest.mark.parametrize(
    "arguments", [("gemini",), ("--help",), ("claude", "x"), ("",), ("Claude",)]
)
def test_unknown_arguments_are_no_error_and_no_record(
    harness: Harness, arguments: tuple[str, ...]
) -> None:
    harness.hook(payload("Stop"), *arguments)
    assert not harness.events.exists()


def test_what_it_makes_is_private(harness: Harness) -> None:
    harness.hook(payload("Stop"), before=lambda: os.umask(0))
    assert harness.spool.stat().st_mode & 0o777 == 0o600
    assert harness.events.stat().st_mode & 0o777 == 0o700
    assert harness.events.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.case("R232")
def test_an_unknown_event_leaves_no_trace(harness: Harness) -> None:
    for name in ("Unheard", "", "permissionrequest"):
        harness.hook(tool(name))
    assert list(harness.home.rglob("*")) == []


@pytest.mark.case("R257")
def test_a_quiet_event_while_its_operator_is_asked_releases_nothing(harness: Harness) -> None:
    listener = listen(str(harness.events), key_of(os.getpid()))
    harness.hook(tool("PermissionRequest"))
    assert listener.drain() == {Ring.EVENT}
    before = harness.spool.read_bytes()
    for quiet in (tool("PreToolUse"), payload("MessageDisplay", delta="x"), payload("Unheard")):
        harness.hook(quiet)
    assert not listener.drain()
    assert harness.spool.read_bytes() == before
    listener.close()


@pytest.mark.case("R245")
def test_a_quiet_event_writes_nothing_and_rings_nobody(harness: Harness) -> None:
    key = key_of(os.getpid())
    listener = listen(str(harness.events), key)
    for quiet in (tool("PreToolUse"), payload("MessageDisplay", delta="x"), payload("Unheard")):
        harness.hook(quiet)
    assert not listener.drain()
    assert not harness.spool.exists()
    harness.hook(payload("Stop"))
    assert listener.drain() == {Ring.EVENT}
    listener.close()


@pytest.mark.case("F91")
def test_names_in_any_script_survive(tmp_path: Path) -> None:
    harness = Harness(home=tmp_path / "höme 🦊", environment={"LC_ALL": "C", "PYTHONUTF8": "0"})
    harness.home.mkdir()
    given = tool("PermissionRequest") | {"tool_name": "schreibe_ä_🦊"}
    harness.hook(json.dumps(given, ensure_ascii=False).encode())
    assert [event.tool for event in harness.told()] == ["schreibe_ä_🦊"]


def test_a_prompt_leaves_refs_and_digests_only(harness: Harness) -> None:
    frame = f"tidings {REF} from api (claude, shop:main)\n| the word is swordfish"
    prompt = f'<cross-session-message from-name="api">\n{frame}\n</cross-session-message>'
    harness.hook(payload("UserPromptSubmit", prompt=prompt))
    (event,) = harness.told()
    assert event.prompt is not None
    assert (event.prompt.refs, event.prompt.digests) == ((REF,), (digest_text(frame),))
    assert b"swordfish" not in harness.spool.read_bytes()


def test_a_record_always_fits_its_line(harness: Harness) -> None:
    frames = "".join(
        f"<cross-session-message>\nm{n:028d} {n}\n</cross-session-message>" for n in range(60)
    )
    long: Document = {
        "session_id": "s" * 9_000,
        "transcript_path": "/" + "\x01" * 500,
        "agent_id": "\x01" * 500,
        "tool_name": "t" * 9_000,
    }
    harness.hook(payload("UserPromptSubmit", prompt=frames) | long)
    harness.hook(tool("PermissionRequest") | long)
    assert [event.name for event in harness.told()] == ["UserPromptSubmit", "PermissionRequest"]
    assert max(map(len, harness.spool.read_bytes().split(b"\n"))) <= 4_095


def test_hooks_that_race_never_mix_their_records(harness: Harness) -> None:
    """Four at a time, as a harness runs parallel tools."""

    def run_some() -> None:
        for _ in range(10):
            harness.hook(tool("PostToolUse"))

    racers = [threading.Thread(target=run_some) for _ in range(4)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert [event.name for event in harness.told()] == ["PostToolUse"] * 40


def loaded_by(harness: Harness, given: Document) -> set[str]:
    """The modules that a hook for ``given`` loads beyond a bare interpreter with ``-m``."""
    code = (
        "import sys, runpy, os; bare = set(sys.modules); from tidings.entrypoints import hook;"
        "hook.handle(['claude'], os.environ); print(*sorted(set(sys.modules) - bare))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        input=json.dumps(given).encode(),
        env=harness.environment,
        capture_output=True,
        timeout=30,
        check=True,
    )
    return set(done.stdout.decode().split())


def is_ours(module: str) -> bool:
    return module.partition(".")[0] == "tidings"


@pytest.mark.case("R245")
def test_it_loads_no_lock_no_database_and_nothing_heavy(harness: Harness) -> None:
    allowed = {"__future__", "_json", "_sha256", "_sha2"}
    for given in (tool("PreToolUse"), tool("PermissionRequest"), question("PostToolUse")):
        assert {name for name in loaded_by(harness, given) if not is_ours(name)} <= allowed
    heavy = {"sqlite3", "fcntl", "typing", "dataclasses", "json", "hashlib", "socket", "subprocess"}
    assert not heavy & loaded_by(harness, payload("UserPromptSubmit", prompt="hello"))
    assert len(harness.told()) == 3


@pytest.mark.parametrize(
    "environment",
    [
        {"TIDINGS_HOME": "/t", "XDG_STATE_HOME": "/x", "HOME": "/h"},
        {"XDG_STATE_HOME": "/x", "HOME": "/h"},
        {"XDG_STATE_HOME": "relative", "HOME": "/h"},
        {"TIDINGS_HOME": "", "XDG_STATE_HOME": "", "HOME": "/h"},
    ],
)
def test_its_state_folder_is_everybodys(environment: dict[str, str]) -> None:
    """The hook has a light copy of the rule; the two may never disagree."""
    assert events_folder(environment) == f"{find_places(environment).state}/events"


def test_the_session_in_the_record_is_the_conversation(harness: Harness) -> None:
    harness.hook(payload("SessionStart", source="startup"))
    (event,) = harness.told()
    assert (event.session_id, event.word) == (SESSION, "startup")
    assert event.transcript_path == "/t/b098b28d.jsonl"
