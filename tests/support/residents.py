"""Looking at the resident of a simulated session from outside, as the kernel shows it."""

import json
import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from support.office import Office
from support.waiting import until
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.simulated.options import VERSION, PermissionMode, SessionKind
from tidings.entrypoints.simulated.script import UseTool

MODULE = "tidings.entrypoints.resident"
SIMULATED = "tidings.entrypoints.simulated"
MONITOR = f"exec {sys.executable} -I -m tidings monitor"


@contextmanager
def another(
    office: Office,
    name: str,
    *,
    folder: str = "",
    monitor: str = MONITOR,
    mode: PermissionMode = PermissionMode.DEFAULT,
    kind: SessionKind = SessionKind.INTERACTIVE,
    version: str = VERSION,
) -> Generator[SimulatedHarness]:
    """One more session of the office, registered, that a test may end as it likes."""
    harness = SimulatedHarness(
        home=office.front.home,
        cwd=office.stage.folder / (folder or name),
        name=name,
        permission_mode=mode,
        version=version,
        monitor=monitor,
        kind=kind,
        environment={"TIDINGS_HOME": str(office.state)},
    )
    with harness:
        until(lambda: name in office.ready(), 15, f"{name} registered")
        yield harness


def start_monitor(harness: SimulatedHarness) -> None:
    """One more monitor, as a child of the client: its model's shell becomes it, and stays busy."""
    harness.prompt("watch", UseTool(tool_input={"command": MONITOR}, runs=True))


def words_of(pid: int) -> list[str]:
    """The words of a process's command line; none once it is gone."""
    try:
        return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes()).split("\0")[:-1]
    except OSError:
        return []


def phase_of(pid: int) -> str:
    """Which image the process is; empty for another program."""
    words = words_of(pid)
    return words[words.index(MODULE) + 1] if MODULE in words else ""


def environment_of(pid: int) -> bytes:
    """What anybody of this user can read of its environment."""
    return Path(f"/proc/{pid}/environ").read_bytes()


def sockets_of(pid: int) -> list[str]:
    """The sockets that the process holds open; files that it closes meanwhile are none."""
    links: list[str] = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            links.append(os.readlink(link))
    return [link for link in links if link.startswith("socket:")]


def is_running(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


def resident_of(harness: SimulatedHarness) -> int:
    """The one resident of a session; while it changes its image the kernel shows none."""

    def only_one() -> list[int]:
        found = residents_of(harness)
        return found if len(found) == 1 else []

    return until(only_one, 15, "one resident")[0]


def residents_of(harness: SimulatedHarness) -> list[int]:
    """The children of a session that are images of a resident, as far as the kernel shows them."""
    children = Path(f"/proc/{harness.pid}/task/{harness.pid}/children").read_text().split()
    return [int(pid) for pid in children if phase_of(int(pid))]


def helpers_of(office: Office) -> list[int]:
    """Every image of a resident of the office that is no child of its harness."""
    return helpers_of_state(office.state)


def helpers_of_state(state: Path) -> list[int]:
    """As ``helpers_of``, for whichever state folder."""
    mark = f"TIDINGS_HOME={state}".encode()
    return [
        int(one.name)
        for one in Path("/proc").iterdir()
        if one.name.isdigit() and phase_of(int(one.name)) and is_helper(int(one.name), mark)
    ]


def is_helper(pid: int, mark: bytes) -> bool:
    """Whether the process leads a session of its own below the first process, with ``mark`` in its
    environment."""
    try:
        parent = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[1]
        return mark in environment_of(pid) and SIMULATED not in words_of(int(parent))
    except OSError:
        return False


def hold_off_helpers(office: Office, key: str) -> None:
    """No hook launches a helper for that session in the next ten seconds: one just was, as far as
    it can see."""
    now = time.time()
    os.utime(office.state / "events" / f"{key}.start", (now, now))


def launched_in(home: Path) -> list[int]:
    """The helpers in the home ``home`` that still give a monitor its time."""
    mark = f"HOME={home}".encode()
    found: list[int] = []
    for one in Path("/proc").iterdir():
        if one.name.isdigit() and phase_of(int(one.name)) == "helping":
            with suppress(OSError):
                found += (
                    [int(one.name)] if mark in environment_of(int(one.name)).split(b"\0") else []
                )
    return found


def token_of(harness: SimulatedHarness) -> bytes:
    """The messaging token of a session, as its client keeps it."""
    (key,) = harness.home.rglob(f"{harness.pid}.*.key")
    return str(json.loads(key.read_text())["peerToken"]).encode()


def journal_of(office: Office) -> list[dict[str, object]]:
    """What the journal tells, oldest first."""
    lines = (office.state / "journal.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]
