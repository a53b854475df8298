"""What one simulated harness knows of itself while it runs; every part shares this one object."""

import secrets
import time
import uuid

from tidings.entrypoints.simulated.kernel import start_ticks
from tidings.entrypoints.simulated.options import Options
from tidings.entrypoints.simulated.places import Places
from tidings.ports.values import dataclass, field


@dataclass(slots=True, kw_only=True)
class HarnessState:
    """Mutable on purpose, touched from the one event loop only."""

    options: Options
    places: Places
    token: str
    name: str
    session_id: str
    proc_start: str
    started_at_ms: int
    is_reachable: bool = False
    """Whether the messaging socket is open: only then hooks learn of it (H 2)."""
    has_monitor: bool = False
    """Whether a plugin monitor lives: then the record never says ``idle`` (measured, conformance)."""
    prompt_id: str = ""
    last_frame_from: str = ""
    held: list[str] = field(default_factory=list[str])
    counters: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def pid(self) -> int:
        return self.places.pid

    @property
    def transcript_path(self) -> str:
        return self.places.transcript(self.session_id)

    def count(self, what: str) -> int:
        """One more of ``what``; returns how many there are now."""
        self.counters[what] = self.counters.get(what, 0) + 1
        return self.counters[what]

    def counted(self, what: str) -> int:
        return self.counters.get(what, 0)


def new_state(options: Options, pid: int) -> HarnessState:
    """The state of a process that just started; a resumed one keeps its conversation's id."""
    places = Places(home=options.home, cwd=options.cwd, socket_base=options.socket_base, pid=pid)
    folder = options.cwd.rstrip("/").rpartition("/")[2] or "root"
    return HarnessState(
        options=options,
        places=places,
        token=secrets.token_hex(16),
        name=options.name or f"{folder}-{pid % 100}",
        session_id=options.resume or new_id(),
        proc_start=start_ticks(pid),
        started_at_ms=now_ms(),
    )


def new_id() -> str:
    return str(uuid.uuid4())


def now_ms() -> int:
    """Wall time in milliseconds, as the client writes it."""
    return time.time_ns() // 1_000_000
