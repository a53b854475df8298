"""The process behind a driver: started, looked at, and ended with all that it left."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tidings.entrypoints.simulated.channel import ControlChannel
from tidings.entrypoints.simulated.kernel import start_ticks
from tidings.entrypoints.simulated.launch import Launch, end_orphan, log_tail, start_process
from tidings.entrypoints.simulated.options import (
    NOTIFICATION_SECONDS,
    VERSION,
    PermissionMode,
    SessionKind,
)
from tidings.entrypoints.simulated.traces import Traces, read_lines
from tidings.entrypoints.simulated.view import HarnessGone, HarnessView, StillWaiting
from tidings.ports.codec import Document, Value

__all__ = ["TIMEOUT_SECONDS", "SimulatedSession", "StillWaiting"]

TIMEOUT_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.005
_END_SECONDS: Final = 10.0


class SimulatedSession:
    """The process of a simulated harness: starting, looking, ending. The verbs are the client's."""

    def __init__(
        self,
        *,
        home: Path,
        cwd: Path,
        name: str = "",
        permission_mode: PermissionMode = PermissionMode.DEFAULT,
        kind: SessionKind = SessionKind.INTERACTIVE,
        version: str = VERSION,
        monitor: str = "",
        notification_seconds: float = NOTIFICATION_SECONDS,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.home = home
        self.cwd = cwd
        self.traces = Traces(home)
        self._sockets = tempfile.mkdtemp(dir="/tmp", prefix="td-")
        self._launch = Launch(
            home=str(home),
            cwd=str(cwd),
            socket_base=self._sockets,
            name=name,
            permission_mode=permission_mode,
            kind=kind,
            version=version,
            monitor=monitor,
            notification_seconds=notification_seconds,
            environment=environment or {},
        )
        self._process: subprocess.Popen[bytes] | None = None
        self._channel = ControlChannel()
        self._last: HarnessView | None = None
        self._monitors: dict[int, str] = {}

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self, *, resume: str = "") -> Self:
        """Starts the process; returns after its SessionStart hooks. ``resume``: a session id.

        Raises ``HarnessGone`` with the end of its log where it did not come up.
        """
        for folder in (self.home / ".claude", self.cwd):
            folder.mkdir(parents=True, exist_ok=True)
        self._process = start_process(self._launch, self._channel, resume=resume)
        try:
            self._note(self._channel.begun())
        except HarnessGone as error:
            self.close()
            raise HarnessGone(f"{error}: {log_tail(self._launch)}") from None
        self.traces.follow(self.pid)
        return self

    def close(self) -> None:
        """Ends the session in order if it lives, and whatever it left. Harmless when repeated."""
        self._channel.close()
        self._reap()
        for pid, start in self._monitors.items():
            end_orphan(pid, start)
        shutil.rmtree(self._sockets, ignore_errors=True)

    @property
    def last(self) -> HarnessView:
        """What the latest answer showed; facts of a process that has ended stay readable."""
        if self._last is None:
            raise HarnessGone("the simulated harness was not started")
        return self._last

    @property
    def pid(self) -> int:
        return self.last.pid

    @property
    def session_id(self) -> str:
        return self.last.session_id

    @property
    def socket_path(self) -> Path:
        return Path(self.last.socket_path)

    @property
    def claude_command(self) -> Path:
        """The ``claude`` of this home, for ``agents --json``."""
        return self.home / "bin" / "claude"

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def transcript(self) -> list[Document]:
        """The lines of the current conversation's transcript."""
        return read_lines(Path(self.last.transcript_path))

    def view(self) -> HarnessView:
        return self.ask("state")

    def wait_until(
        self,
        condition: Callable[[HarnessView], object],
        what: str = "",
        timeout: float = TIMEOUT_SECONDS,
    ) -> HarnessView:
        """The first view for which ``condition`` is true, within ``timeout`` seconds."""
        ends_at = time.monotonic() + timeout
        while not condition(view := self.view()):
            if time.monotonic() > ends_at:
                raise StillWaiting(f"after {timeout:g} s still not: {what or condition!r}: {view}")
            time.sleep(_POLL_SECONDS)
        return view

    def wait_idle(self, timeout: float = TIMEOUT_SECONDS) -> HarnessView:
        """No turn and no subagent runs, nothing is queued, no dialog is open."""
        return self.wait_until(
            lambda view: view.status == "idle" and not view.queued + view.background,
            "idle",
            timeout,
        )

    def exit(self) -> None:
        """``/exit``, and waits for the process to be gone."""
        self.ask("exit")
        self._reap()

    def crash(self) -> None:
        """SIGKILL: record, key and socket stay behind, and a monitor is orphaned (H 2)."""
        self.view()
        try:
            self.ask("crash")
        except HarnessGone:
            self._reap()

    def resume(self) -> Self:
        """Another process that goes on with this conversation."""
        self._channel.close()
        self._reap()
        self._channel = ControlChannel()
        return self.start(resume=self.session_id)

    def ask(self, word: str, **fields: Value) -> HarnessView:
        """One command of the control channel by its word, for verbs."""
        return self._note(self._channel.ask({"do": word, **fields}))

    def _note(self, view: HarnessView) -> HarnessView:
        self._last = view
        if view.monitor_pid and view.monitor_pid not in self._monitors:
            self._monitors[view.monitor_pid] = start_ticks(view.monitor_pid)
        return view

    def _reap(self) -> None:
        if self._process is None:
            return
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
