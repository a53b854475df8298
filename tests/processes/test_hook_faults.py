"""A hook can hurt its user, so whatever is broken it ends with 0 and without a word (D10)."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from support.hook_events import payload, tool
from support.hook_process import HOOK, Harness
from support.residents import launched_in
from tidings.adapters.files.event_spool import FileEventSpool
from tidings.domain.setup.pieces import hook_command, quiet_hook_command
from tidings.entrypoints import hook as hook_module

SECONDS_OF_A_HOOK = 5.0
"""What the client allows a hook of ours, before it ends it."""

ASKED = tool("PermissionRequest")


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    return Harness(home=tmp_path)


def test_a_state_folder_that_cannot_be_made(harness: Harness) -> None:
    (harness.home / ".local").write_text("a file where a folder should be")
    harness.hook(ASKED)
    harness.environment["TIDINGS_HOME"] = "/proc/tidings-cannot-be-made"
    harness.hook(ASKED)
    assert (harness.home / ".local").read_text().startswith("a file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_state_folder(harness: Harness) -> None:
    harness.events.mkdir(parents=True)
    harness.events.chmod(0o500)
    harness.hook(ASKED)
    assert not list(harness.events.iterdir())


MOUNTED = """
mount -t tmpfs -o size=16k none "$1" || exit 77
mkdir -m 700 "$1/events" && touch "$1/events/old" && cat /dev/zero >"$1/filler" 2>/dev/null
[ "$2" = ro ] && mount -o remount,ro "$1"
shift 2
exec "$@"
"""


@pytest.mark.parametrize("how", ["full", "ro"])
def test_a_file_system_that_takes_nothing_more(harness: Harness, how: str) -> None:
    """Mounted for this one process only."""
    state = harness.home / "state"
    state.mkdir(mode=0o700)
    words = ["unshare", "--mount", "sh", "-c", MOUNTED, "sh", str(state), how]
    if subprocess.run([*words, "true"], capture_output=True, timeout=20, check=False).returncode:
        pytest.skip("this machine mounts nothing for us")
    harness.environment["TIDINGS_HOME"] = str(state)
    harness.environment["CLAUDE_CODE_MESSAGING_SOCKET"] = "/tmp/nowhere.sock"
    began = time.monotonic()
    harness.hook(ASKED, command=[*words, *HOOK])
    assert time.monotonic() - began < SECONDS_OF_A_HOOK
    assert launched_in(harness.home) == []


def allow_bytes(limit: int) -> None:
    """No file of the process may grow beyond ``limit``."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def test_a_full_disk_leaves_no_record_and_spoils_no_later_one(harness: Harness) -> None:
    """The kernel takes a part of the write, as on a full disk."""
    harness.hook(ASKED)
    size = harness.spool.stat().st_size
    for room in (0, 1, 40):
        limit = size + room
        harness.hook(tool("PermissionRequest", "lost"), before=partial(allow_bytes, limit))
        size = harness.spool.stat().st_size
        assert size <= limit
    spool = FileEventSpool(str(harness.events))
    key = harness.spool.stem
    before = spool.read(key, offset=0)
    harness.hook(payload("Stop"))
    after = spool.read(key, offset=before.offset)
    assert [json.loads(line)["event"] for line in before.lines] == ["PermissionRequest"]
    assert json.loads(after.lines[-1])["event"] == "Stop"
    assert all(b"lost" not in line for line in after.lines)


def test_no_room_for_a_single_byte(harness: Harness) -> None:
    harness.hook(ASKED, before=partial(allow_bytes, 0))
    assert harness.told() == []


@pytest.mark.parametrize(
    "plant", ["fifo", "heard-fifo", "link", "dangling-link", "folder", "file-for-folder"]
)
def test_what_was_planted_in_the_spools_place_is_left_alone(harness: Harness, plant: str) -> None:
    harness.events.mkdir(parents=True)
    aim = harness.home / "aim"
    reader = -1
    match plant:
        case "fifo":
            os.mkfifo(harness.spool)
        case "heard-fifo":
            os.mkfifo(harness.spool)
            reader = os.open(harness.spool, os.O_RDONLY | os.O_NONBLOCK)
        case "link":
            aim.write_bytes(b"mine")
            harness.spool.symlink_to(aim)
        case "dangling-link":
            harness.spool.symlink_to(aim)
        case "folder":
            harness.spool.mkdir()
        case _:
            harness.events.rmdir()
            harness.events.write_bytes(b"no folder")
    harness.hook(ASKED)
    if reader >= 0:
        assert os.read(reader, 1) == b""
        os.close(reader)
    assert not aim.exists() or aim.read_bytes() == b"mine"


def test_a_bell_that_is_no_bell_is_left_alone(harness: Harness) -> None:
    harness.events.mkdir(parents=True)
    bell = harness.spool.with_suffix(".bell")
    bell.write_bytes(b"mine")
    harness.hook(ASKED)
    assert len(harness.told()) == 1
    assert bell.read_bytes() == b"mine"


def test_a_missing_home_is_no_place_to_write(harness: Harness) -> None:
    for home in (None, "", "relative"):
        harness.environment.pop("HOME", None)
        harness.environment |= {} if home is None else {"HOME": home}
        harness.hook(ASKED)
    assert not list(harness.home.iterdir())


def test_closed_streams(harness: Harness) -> None:
    def close_all() -> None:
        for descriptor in (0, 1, 2):
            os.close(descriptor)

    harness.hook(b"", before=lambda: os.close(0))
    harness.hook(b"", before=close_all)
    assert not harness.events.exists()


@pytest.mark.parametrize(
    "given",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"Stop"',
        b"\xff\xfe\x00",
        b"{}",
        b'{"hook_event_name":7}',
        b'{"hook_event_name":"Stop"} trailing',
        b"[" * 200_000,
        b'{"hook_event_name":"Stop","n":' + b"9" * 6_000 + b"}",
    ],
    ids=lambda given: repr(given[:24]),
)
def test_a_payload_that_does_not_read(harness: Harness, given: bytes) -> None:
    harness.hook(given)
    assert all(event.cut for event in harness.told())


def test_invalid_utf8_in_a_name_does_not_lose_the_event(harness: Harness) -> None:
    given = json.dumps(ASKED).encode().replace(b'"Bash"', b'"B\xff\xed\xa0\x80sh"')
    harness.hook(given)
    harness.hook(json.dumps(ASKED | {"tool_name": "\ud800lone"}).encode())
    assert [event.name for event in harness.told()] == ["PermissionRequest"] * 2


def test_an_opening_whose_payload_is_broken_still_counts(harness: Harness) -> None:
    harness.hook(json.dumps(ASKED).encode()[:-30])
    (event,) = harness.told()
    assert (event.name, event.tool, event.cut) == ("PermissionRequest", "Bash", True)


@pytest.mark.parametrize(
    ("name", "kept"), [("PermissionRequest", 1), ("PostToolUse", 1), ("PreToolUse", 0)]
)
def test_ten_megabytes_are_taken_and_an_opening_counts(
    harness: Harness, name: str, kept: int
) -> None:
    harness.hook(tool(name, "x" * 10_000_000))
    assert [event.cut for event in harness.told()] == [True] * kept


def test_a_large_write_below_the_limit_is_read_whole(harness: Harness) -> None:
    """A 100 KB Write is a 200 KB PostToolUse (H 11)."""
    content = "x" * 1_000_000
    for name in ("PermissionRequest", "PostToolUse"):
        harness.hook(payload(name, tool_name="Write", tool_input={"content": content}))
    asked, done = harness.told()
    assert not asked.cut
    assert asked.input_digest == done.input_digest != ""


@pytest.mark.case("R72")
def test_a_start_above_its_own_limit_is_no_start(harness: Harness) -> None:
    harness.hook(payload("SessionStart", source="startup", padding="x" * 70_000))
    assert not harness.events.exists()


def test_deep_nesting_costs_only_the_digest(harness: Harness) -> None:
    deep = b'{"a":' * 20_000 + b"1" + b"}" * 20_000
    head = json.dumps(ASKED).encode()[:-1].replace(b'"tool_input"', b'"was"')
    harness.hook(head + b',"tool_input":' + deep + b"}")
    (event,) = harness.told()
    assert (event.name, event.cut) == ("PermissionRequest", True)


def test_a_package_half_removed_is_no_error(harness: Harness, tmp_path: Path) -> None:
    """What an upgrade or a removal under a live session looks like to its hooks."""
    left = tmp_path / "left" / "tidings" / "entrypoints"
    left.mkdir(parents=True)
    shutil.copy(str(hook_module.__file__), left / "hook.py")
    (left / "__init__.py").touch()
    (left.parent / "__init__.py").touch()
    start = f"import sys; sys.path.insert(0, {str(tmp_path / 'left')!r}); "
    start += "from tidings.entrypoints.hook import main; main()"
    harness.hook(ASKED, command=(sys.executable, "-I", "-c", start))
    assert not harness.events.exists()


@pytest.mark.parametrize("command", [hook_command, quiet_hook_command])
@pytest.mark.parametrize(
    "broken",
    [
        "#!/nowhere/at/all\n",
        "#!/bin/sh\nkill -9 $$\n",
        "#!/bin/sh\nexit 2\n",
        "#!/bin/sh\necho lost >&2\nexit 1\n",
        "no program at all",
    ],
    ids=["no-interpreter", "killed", "blocking", "complaining", "no-program"],
)
def test_whatever_becomes_of_the_interpreter_the_command_ends_well_and_in_silence(
    harness: Harness, broken: str, command: Callable[[str], str]
) -> None:
    """The client shows its user each hook that does not (measured with 2.1.332)."""
    program = harness.home / "python"
    program.write_text(broken)
    program.chmod(0o755)
    harness.hook(ASKED, "-c", command(str(program)), command=("/bin/sh",))
    assert not harness.events.exists()


def test_a_package_that_is_gone_is_no_error_of_the_command(harness: Harness) -> None:
    """The interpreter is there and has no such module."""
    venv.create(harness.home / "bare", with_pip=False)
    python = str(harness.home / "bare" / "bin" / "python")
    harness.hook(ASKED, "-c", hook_command(python), command=("/bin/sh",))
    assert not harness.events.exists()


def test_a_terminal_is_no_harness(harness: Harness) -> None:
    """Typed by hand it ends at once instead of waiting for a payload."""
    primary, replica = os.openpty()
    done = subprocess.run(
        [*HOOK, "claude"],
        stdin=replica,
        env=harness.environment,
        capture_output=True,
        timeout=20,
        check=False,
    )
    os.close(primary)
    os.close(replica)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
