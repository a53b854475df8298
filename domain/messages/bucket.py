"""How fast one writer may write to a client's socket without the client dropping frames (D18).

The client takes 30 frames of one sender at once and one more every 2 s, and drops the others in
silence (measured, conformance). Ours is a little smaller and a little slower than that.
"""

from typing import Final

from tidings.domain.messages.deadline import since_handoff_ns
from tidings.ports.clock import Instant
from tidings.ports.messages import MessageTransaction
from tidings.ports.tokens import TransportName

CAPACITY: Final = 28
REFILL_NS: Final = 2_200_000_000
WINDOW_NS: Final = CAPACITY * REFILL_NS
LOOK_BACK: Final = 256
"""Messages, the newest of all, among which those of one target are counted."""


class FrameBucket:
    """One per resident. ``spent`` frames went within the window before: an earlier image of the same
    process may have written them, and to count too many only makes it slower.

    Its clock is the monotonic one: a machine that sleeps refills no client.
    """

    def __init__(self, now_ns: int, *, spent: int) -> None:
        self._frames = float(max(0, CAPACITY - spent))
        self._at_ns = now_ns

    def has_room(self, now_ns: int) -> bool:
        """Whether one more frame may go at ``now_ns`` (monotonic clock)."""
        self._refill(now_ns)
        return self._frames >= 1

    def take(self, now_ns: int) -> None:
        """One frame was written, or may have been."""
        self._refill(now_ns)
        self._frames = max(0.0, self._frames - 1)

    def _refill(self, now_ns: int) -> None:
        passed_ns = max(0, now_ns - self._at_ns)
        self._frames = min(float(CAPACITY), self._frames + passed_ns / REFILL_NS)
        self._at_ns = max(self._at_ns, now_ns)


def lately_spent(tx: MessageTransaction, target_agent: str, now: Instant) -> int:
    """Frames that went to the target's socket, or may have, within the time of one refill."""
    rows = [row for row in tx.newest(before_seq=None, limit=LOOK_BACK) if row.handoff_at_ns]
    return sum(
        row.target_agent == target_agent
        and row.transport == TransportName.HARNESS_SOCKET
        and since_handoff_ns(row, now) < WINDOW_NS
        for row in rows
    )
