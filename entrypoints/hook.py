"""What a harness runs at its events: reads one payload, leaves one line, and is gone (D10, D11).

Where nobody listens for its session it starts the helper that will (D12), and waits for nothing.

``PY -I -m tidings.entrypoints.hook claude|codex``, below a shell or in its place. It prints nothing, decides nothing, takes
no lock, opens no database, and whatever happens it ends with exit code 0: a hook that fails can
block its user's prompts and tools (H 11). Nothing heavier than ``json`` is ever imported here, and
imports stay inside the guard, so that a package half removed is no error either.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # a type checker reads it as true; ``typing`` would cost a hook 10 ms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

    from tidings.ports.codec import Document

MOST_READ = 8 * 1024 * 1024
"""Bytes of a payload that are read whole; of a larger one only the beginning is looked at."""
MOST_DRAINED = 256 * 1024 * 1024
"""Bytes that are taken off a harness's hands at most, so that its write does not fail."""
LARGEST_START = 64 * 1024
"""Bytes of a SessionStart payload; a larger one is none."""
HEAD = 64 * 1024
"""Characters of a payload in which the names of an unreadable one are looked for."""
SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "ash", "busybox"))
"""Programs that may stand between a harness and its hook, once (H 2, H 9)."""


def main() -> NoReturn:
    """Handles one event. Every path ends here, in exit code 0."""
    try:
        handle(sys.argv[1:], os.environ)
    finally:
        os._exit(0)  # at once: no traceback, no exit handler, nothing reaches the harness (D10)


def handle(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """One event from standard input to the spool; raises whatever goes wrong."""
    if list(arguments) not in (["claude"], ["codex"]) or os.isatty(0):
        return
    client = arguments[0]
    data, whole = read_payload()
    started, owner = starter_and_harness(client, environment)
    record = condensed(client, data, whole, started)
    folder = events_folder(environment)
    if owner is None or folder is None or (record is None and client == "codex"):
        return
    start = harness_start(owner)
    thread = str(record["session"]) if record is not None and client == "codex" else ""
    key = owner_key(owner, start, thread=thread)
    if not is_told(folder, key, owner, record) and client == "claude":
        from tidings.entrypoints.launching import launch_helper

        launch_helper(folder, key, pid=owner, start=start, environment=environment)


def is_told(folder: str, key: str, owner: int, record: Document | None) -> bool:
    """Leaves the record and rings; whether somebody listens, also where there is nothing to leave.

    Before an opening the sign goes that lets hooks of closes end in the shell (``quiet_path``).
    """
    from tidings.adapters.files.hook_writes import append_line, is_heard, ring, take_quiet_sign
    from tidings.domain.interaction.harness_events import OPENINGS, effect_of

    if record is None:
        return is_heard(folder, key)
    tool, notice = str(record.get("tool", "")), str(record.get("word", ""))
    if effect_of(str(record["client"]), str(record["event"]), tool=tool, notice=notice) in OPENINGS:
        take_quiet_sign(folder, owner)
    append_line(folder, key, line_of(record))
    return ring(folder, key)


def read_payload() -> tuple[bytes, bool]:
    """Standard input, and whether all of it was read. What is beyond ``MOST_READ`` is thrown away."""
    parts: list[bytes] = []
    size = 0
    while size < MOST_DRAINED:
        part = os.read(0, 1024 * 1024)
        if not part:
            break
        if size < MOST_READ:
            parts.append(part)
        size += len(part)
    return b"".join(parts), size <= MOST_READ


def condensed(client: str, data: bytes, whole: bool, started: int) -> Document | None:
    """The record of a payload; of one that is too large or does not read, what its head tells.

    ``started`` is the process that the harness started for it: its start orders events (D23).
    """
    from tidings.adapters.wire.kernel_facts import start_ns, wall_ns
    from tidings.adapters.wire.raw_json import loads
    from tidings.domain.interaction.condense import condense, condense_cut

    started_at_ns, at_ns = start_ns(started), wall_ns()
    text = data.decode("utf-8", "replace")
    try:
        payload = loads(text) if whole else None
        if isinstance(payload, dict):
            if payload.get("hook_event_name") == "SessionStart" and len(data) > LARGEST_START:
                return None
            return condense(client, payload, started_at_ns=started_at_ns, at_ns=at_ns)
    except (ValueError, RecursionError):
        pass
    return condense_cut(client, text[:HEAD], started_at_ns=started_at_ns, at_ns=at_ns)


def starter_and_harness(client: str, environment: Mapping[str, str]) -> tuple[int, int | None]:
    """The process that the harness started for this hook, and the harness: the parent of that.

    At most one shell is between; then the shell is what the harness started.

    Claude names itself in ``CLAUDE_PID``, and only an equal ancestor is believed. Codex does not,
    so there the parent is the harness.
    """
    from tidings.adapters.wire.kernel_facts import birth_facts

    parent = os.getppid()
    claimed = environment.get("CLAUDE_PID", "")
    if client == "claude" and claimed == str(parent):
        return os.getpid(), parent
    name, grandparent, _start = birth_facts(parent)
    if name not in SHELLS:
        return os.getpid(), None if client == "claude" else parent
    return parent, grandparent if client != "claude" or claimed == str(grandparent) else None


def harness_start(pid: int) -> str:
    """When the harness process began, as the kernel says it."""
    from tidings.adapters.wire.kernel_facts import birth_facts

    return birth_facts(pid)[2]


def owner_key(pid: int, start: str, *, thread: str) -> str:
    """The session key of the harness process (D2), from the kernel's facts only."""
    from tidings.adapters.wire.kernel_facts import machine_id, namespace
    from tidings.domain.identity.keys import session_key

    return session_key(
        pid=pid,
        machine_id=machine_id(),
        pid_namespace=namespace("pid"),
        start=start,
        thread_id=thread,
    )


def events_folder(environment: Mapping[str, str]) -> str | None:
    """``events`` in the state folder (design page 1); None where there is no home to keep state in,
    and for a choice that the verbs refuse: a relative one."""
    chosen = environment.get("TIDINGS_HOME", "")
    if chosen:
        return f"{os.path.abspath(chosen)}/events" if os.path.isabs(chosen) else None
    base = environment.get("XDG_STATE_HOME", "")
    if os.path.isabs(base):
        return f"{base}/tidings/events"
    home = environment.get("HOME", "")
    return f"{home}/.local/state/tidings/events" if os.path.isabs(home) else None


def line_of(record: Document) -> bytes:
    """The record as one line that fits, without what may be dropped where it would not."""
    from tidings.adapters.files.hook_writes import LONGEST_LINE
    from tidings.adapters.wire.raw_json import dumps
    from tidings.domain.interaction.condense import MAY_BE_DROPPED

    line = dumps(record) + "\n"
    for name in MAY_BE_DROPPED:
        if len(line) > LONGEST_LINE:
            record.pop(name, None)
            line = dumps(record) + "\n"
    return line.encode("ascii")


if __name__ == "__main__":
    main()
