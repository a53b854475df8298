"""How one simulated harness is started: the command line as a value."""

import argparse
import os
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from tidings.ports.values import dataclass

VERSION: Final = "2.1.332"
"""The client release that was measured (H, title)."""

NOTIFICATION_SECONDS: Final = 6.0
"""How long a dialog stays open before the client says that it needs somebody (H 2)."""


class PermissionMode(StrEnum):
    """As payloads name it; the flag ``manual`` shows up as ``default`` (H 2, recorded)."""

    DEFAULT = "default"
    ACCEPT_EDITS = "acceptEdits"
    BYPASS = "bypassPermissions"


class SessionKind(StrEnum):
    """How the client runs: on a terminal, as ``-p`` (no monitor starts there, H 4), or in ``--bg``."""

    INTERACTIVE = "interactive"
    PRINT = "print"
    BACKGROUND = "bg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Absolute paths; seconds for durations; empty text where nothing was given."""

    home: str
    cwd: str
    socket_base: str
    name: str
    resume: str
    permission_mode: PermissionMode
    kind: SessionKind
    version: str
    monitor: str
    monitor_description: str
    notification_seconds: float
    control_fd: int | None
    script: str


def parse_options(arguments: Sequence[str]) -> Options:
    """Exits with code 2 and a usage line for words it does not know."""
    parser = argparse.ArgumentParser(prog="tidings.entrypoints.simulated", allow_abbrev=False)
    parser.add_argument("--home", required=True)
    parser.add_argument("--cwd", required=True)
    parser.add_argument("--socket-base", default=os.environ.get("TMPDIR") or "/tmp")
    parser.add_argument("--name", default="")
    parser.add_argument("--resume", default="", metavar="SESSION_ID")
    parser.add_argument(
        "--permission-mode",
        type=PermissionMode,
        choices=list(PermissionMode),
        default=PermissionMode.DEFAULT,
    )
    parser.add_argument(
        "--kind", type=SessionKind, choices=list(SessionKind), default=SessionKind.INTERACTIVE
    )
    parser.add_argument("--client-version", default=VERSION)
    parser.add_argument("--monitor", default="", metavar="COMMAND")
    parser.add_argument("--monitor-description", default="tidings")
    parser.add_argument("--notification-seconds", type=float, default=NOTIFICATION_SECONDS)
    parser.add_argument("--control-fd", type=int, default=None)
    parser.add_argument("--script", default="", metavar="FILE")
    found = parser.parse_args(arguments)
    return Options(
        home=os.path.abspath(found.home),
        cwd=os.path.abspath(found.cwd),
        socket_base=os.path.abspath(found.socket_base),
        name=found.name,
        resume=found.resume,
        permission_mode=found.permission_mode,
        kind=found.kind,
        version=found.client_version,
        monitor=found.monitor,
        monitor_description=found.monitor_description,
        notification_seconds=found.notification_seconds,
        control_fd=found.control_fd,
        script=found.script,
    )
