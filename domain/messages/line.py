"""Who is next at one target: the queue, and the notices that wait without blocking (D15, P6)."""

from collections.abc import Sequence

from tidings.domain.messages.envelope_document import parse_envelope
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


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRule:
    """Which messages wait for another one to start a turn.

    ``pulls``: the target takes its messages itself, and no turn begins by that. ``may_be_woken``:
    its consent lets a notice start one.
    """

    pulls: bool
    may_be_woken: bool

    def waits(self, row: MessageRow) -> bool:
        """Whether ``row`` is a notice that starts no turn here: waking has to be both asked for
        and armed (design page 1)."""
        if self.pulls or row.kind != MessageKind.NOTICE:
            return False
        may_wake = self.may_be_woken and "wake" in row.envelope  # so that few are parsed
        return not (may_wake and parse_envelope(row.envelope).wishes.wake)


def line_up(queue: Sequence[MessageRow], rule: TurnRule) -> Line:
    """The line of a queue ordered by ``seq``."""
    for place, row in enumerate(queue):
        if not rule.waits(row):
            return Line(notices=tuple(queue[:place]), head=row, rest=tuple(queue[place + 1 :]))
    return Line(notices=tuple(queue), head=None, rest=())
