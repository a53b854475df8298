"""Starting and ending the process of a simulated harness."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Final

from tidings.entrypoints.simulated.channel import ControlChannel
from tidings.entrypoints.simulated.kernel import start_ticks
from tidings.entrypoints.simulated.options import PermissionMode, SessionKind
from tidings.ports.values import dataclass

_KEPT: Final = ("PATH", "LANG", "LC_ALL")
_ORPHAN_SECONDS: Final = 2.0
_LOG_LINES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What to start. The environment is not inherited: a harness started from inside another
    one would believe that one's variables (H 0)."""

    home: str
    cwd: str
    socket_base: str
    name: str
    permission_mode: PermissionMode
    kind: SessionKind
    version: str
    monitor: str
    notification_seconds: float
    environment: Mapping[str, str]


def start_process(
    launch: Launch, channel: ControlChannel, *, resume: str
) -> subprocess.Popen[bytes]:
    """The process, with its errors in ``harness.log`` of its home."""
    far = channel.far.fileno()
    with open(_log(launch), "ab") as log:
        return subprocess.Popen(
            [*_command(launch, resume), "--control-fd", str(far)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=launch.cwd,
            env=_environment(launch),
            pass_fds=[far],
            start_new_session=True,
        )


def log_tail(launch: Launch) -> str:
    """The last lines of ``harness.log``, for whoever must explain why it is gone."""
    with open(_log(launch), encoding="utf-8", errors="replace") as log:
        return "".join(log.readlines()[-_LOG_LINES:])


def end_orphan(pid: int, start: str) -> None:
    """Ends the group of a monitor whose harness was killed, if it is still that very process."""
    ends_at = time.monotonic() + _ORPHAN_SECONDS
    number = signal.SIGTERM
    while start and start_ticks(pid) == start:
        if time.monotonic() > ends_at:
            number = signal.SIGKILL
        try:
            os.killpg(pid, number)
        except (ProcessLookupError, PermissionError):
            return
        time.sleep(0.02)


def _log(launch: Launch) -> str:
    return os.path.join(launch.home, "harness.log")


def _command(launch: Launch, resume: str) -> list[str]:
    words = [sys.executable, "-I", "-m", "tidings.entrypoints.simulated"]
    words += ["--home", launch.home, "--cwd", launch.cwd, "--socket-base", launch.socket_base]
    words += ["--name", launch.name, "--permission-mode", launch.permission_mode.value]
    words += ["--kind", launch.kind.value]
    words += ["--notification-seconds", str(launch.notification_seconds)]
    words += ["--client-version", launch.version]
    words += ["--monitor", launch.monitor, "--resume", resume]
    return words


def _environment(launch: Launch) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    own = {"HOME": launch.home, "TMPDIR": launch.socket_base}
    return {**kept, **own, **launch.environment}
