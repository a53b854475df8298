"""Simulated harnesses for tests: one below a temporary folder, its hooks, and posts to it."""

import json
import socket
from collections.abc import Mapping
from pathlib import Path

from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.simulated.options import PermissionMode

PLAIN_TURN = ["UserPromptSubmit", "MessageDisplay", "Stop"]
TOOL_TURN = [
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolBatch",
    "MessageDisplay",
    "Stop",
]


def simulated(
    folder: Path,
    *,
    name: str = "api",
    mode: PermissionMode = PermissionMode.DEFAULT,
    monitor: str = "",
    notification_seconds: float = 6.0,
    environment: Mapping[str, str] | None = None,
) -> SimulatedHarness:
    """Not started yet; use it in a ``with`` block."""
    return SimulatedHarness(
        home=folder / "home",
        cwd=folder / "proj",
        name=name,
        permission_mode=mode,
        monitor=monitor,
        notification_seconds=notification_seconds,
        environment=environment,
    )


def configure_hooks(
    folder: Path, commands: Mapping[str, str], *, timeout_seconds: float | None = None
) -> None:
    """Writes ``settings.json`` in the client's shape, one command an event."""
    hooks: dict[str, object] = {}
    for event, command in commands.items():
        entry: dict[str, object] = {"type": "command", "command": command}
        if timeout_seconds is not None:
            entry["timeout"] = timeout_seconds
        hooks[event] = [{"hooks": [entry]}]
    settings = folder / "home" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"hooks": hooks}))


def frame(text: str, **extra: object) -> bytes:
    body = {"type": "user", "message": {"role": "user", "content": text}, **extra}
    return json.dumps(body).encode() + b"\n"


def post(path: Path, *lines: bytes) -> bytes:
    """Writes lines to a messaging socket and returns what came back before it closed: nothing."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(5.0)
        connection.connect(str(path))
        connection.sendall(b"".join(lines))
        connection.shutdown(socket.SHUT_WR)
        return connection.recv(1)
