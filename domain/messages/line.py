"""Who is next at one target: the queue, and the notices that wait without blocking (D15, P6)."""

from collections.abc import Sequence

from tidings.domain.messages.origin import MessageKind
from tidings.ports.messages import MessageRow
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A queue in acceptance order, read as a line.

    ``notices`` stand before the head and go out right before it; ``head`` may start a turn (None:
    only notices wait); ``rest`` stands behind.
    """

    notices: tuple[MessageRow, ...]
    head: MessageRow | None
    rest: tuple[MessageRow, ...]


def line_up(queue: Sequence[MessageRow], *, notices_wait: bool) -> Line:
    """The line of a queue ordered by ``seq``. Where the target pulls, a notice is like any other."""
    for place, row in enumerate(queue):
        if not notices_wait or row.kind != MessageKind.NOTICE:
            return Line(notices=tuple(queue[:place]), head=row, rest=tuple(queue[place + 1 :]))
    return Line(notices=tuple(queue), head=None, rest=())
