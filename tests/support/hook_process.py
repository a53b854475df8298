"""Running the hook as a harness runs it: a real child process with a payload on standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tidings.adapters.wire import kernel_facts
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.identity.keys import session_key
from tidings.domain.interaction.events import HookEvent, read_event
from tidings.ports.codec import Document

HOOK = (sys.executable, "-I", "-m", "tidings.entrypoints.hook")


def key_of(pid: int, *, thread: str = "") -> str:
    """The session key of a living process, from the kernel's facts."""
    _name, _parent, start = kernel_facts.birth_facts(pid)
    return session_key(
        pid=pid,
        machine_id=kernel_facts.machine_id(),
        pid_namespace=kernel_facts.namespace("pid"),
        start=start,
        thread_id=thread,
    )


@dataclass(slots=True, kw_only=True)
class Harness:
    """This test process as a harness: it starts hooks and looks at what they leave."""

    home: Path
    environment: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "CLAUDE_PID": str(os.getpid()),
        } | self.environment

    @property
    def events(self) -> Path:
        """Where spools and bells are by default."""
        return self.home / ".local" / "state" / "tidings" / "events"

    @property
    def spool(self) -> Path:
        """The spool of this process."""
        return self.events / f"{key_of(os.getpid())}.jsonl"

    def hook(
        self,
        payload: Document | bytes,
        *arguments: str,
        command: Sequence[str] = HOOK,
        before: Callable[[], object] | None = None,
    ) -> None:
        """Runs one hook to its end, which must be exit code 0 without a word."""
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        done = subprocess.run(
            [*command, *(arguments or ("claude",))],
            input=data,
            env=self.environment,
            capture_output=True,
            timeout=30,
            check=False,
            preexec_fn=before,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    def told(self, spool: Path | None = None) -> list[HookEvent]:
        """Every record left so far; each line must read as one."""
        path = spool or self.spool
        lines = path.read_bytes().split(b"\n") if path.exists() else []
        found = [read_event(line, JsonCodec()) for line in lines if line]
        assert all(isinstance(event, HookEvent) for event in found), found
        return [event for event in found if isinstance(event, HookEvent)]
