"""What a harness publishes of its own state (D24, H 2, H 11)."""

from typing import Protocol, TypeAlias

from tidings.ports.tokens import StatusWord
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusSeen:
    """A published status; ``begun`` is the CLOCK_BOOTTIME nanosecond at which the reading began."""

    word: StatusWord
    waiting_for: str
    session_id: str
    begun: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusUnreadable:
    """Nothing could be read, or nothing that we know; then events judge."""

    why: str


StatusFact: TypeAlias = StatusSeen | StatusUnreadable


class HarnessStatus(Protocol):
    """Reads the status of the harness with process id ``pid``."""

    def glance(self, pid: int) -> StatusFact:
        """The client's own session record: cheap, internal, so a doorbell and a quick no."""
        ...

    def confirm(self, pid: int) -> StatusFact:
        """The supported view (``agents --json``), bounded to 5 s; may take 0.3 s."""
        ...
