"""Recognising a harness by what it publishes of itself (H 3)."""

from typing import Protocol

from tidings.ports.tokens import Provider
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessSighting:
    """A harness process recognised by its own registry. Text it declares is not proof.

    ``start_ticks`` is the start it claims (empty if none): a stale file of a reused pid differs
    from the kernel's.
    """

    pid: int
    provider: Provider
    session_id: str
    name: str
    cwd: str
    socket_path: str
    version: str
    start_ticks: str


class HarnessPresence(Protocol):
    """The client's registry of its running sessions."""

    def at(self, pid: int) -> HarnessSighting | None:
        """The sighting for ``pid``, or None where the client shows nothing readable."""
        ...
