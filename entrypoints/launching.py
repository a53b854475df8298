"""Launching the helper that becomes a session's resident where no plugin monitor does (D12, R 2).

The hook loads this where it found that nobody listens, and waits for nothing. Light.
"""

from __future__ import annotations

import os
import sys

from tidings.adapters.files.hook_writes import claim_launch, take_quiet_sign
from tidings.adapters.wire.raw_json import dumps

TYPE_CHECKING = False  # a type checker reads it as true; ``typing`` would cost a hook 10 ms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tidings.ports.codec import Document

MODULE = "tidings.entrypoints.resident"
PHASE = "helping"

SOCKET = "CLAUDE_CODE_MESSAGING_SOCKET"
SECRET_KEYS = (SOCKET, "CLAUDE_CODE_MESSAGING_TOKEN")
TOLD_KEYS = (*SECRET_KEYS, "CLAUDE_PID", "CLAUDE_CODE_SESSION_ID", "AI_AGENT")
"""What the helper is told through a pipe; the two secrets are in neither its environment nor argv."""

LONGEST_BOOTSTRAP = 65_536
"""Bytes: what an anonymous pipe holds without a reader (R 2.3)."""


def launch_helper(
    folder: str, key: str, *, pid: int, start: str, environment: Mapping[str, str]
) -> None:
    """Starts a helper for the harness ``pid`` of session ``key``, unless one was just started.

    A session without a messaging socket has nothing to write to; at its end it has none any more,
    so nothing is launched for one that goes away. Raises ``OSError``.
    """
    take_quiet_sign(folder, pid)  # nobody is there who would have set it
    if not environment.get(SOCKET) or not claim_launch(folder, key):
        return
    told: Document = {name: environment[name] for name in TOLD_KEYS if name in environment}
    told |= {"v": 1, "pid": pid, "start": start}
    data = dumps(told).encode()
    if len(data) <= LONGEST_BOOTSTRAP:
        _spawn(data, {name: environment[name] for name in environment if name not in SECRET_KEYS})


def _spawn(data: bytes, environment: Mapping[str, str]) -> None:
    """Nothing of the hook's own streams goes along: the harness waits until they are closed."""
    reader, writer = os.pipe()
    os.write(writer, data)
    os.close(writer)
    os.set_inheritable(reader, True)
    words = [sys.executable, "-I", "-m", MODULE, PHASE, str(reader)]
    nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
    os.posix_spawn(sys.executable, words, environment, file_actions=nowhere)
