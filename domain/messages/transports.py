"""Which way a message takes to its session's model, chosen in the hand-off (D17)."""

from typing import Final, TypeAlias

from tidings.domain.messages.hold import Hold
from tidings.domain.messages.outlook import Ways
from tidings.domain.messages.qualification import Standing
from tidings.ports.tokens import TransportName
from tidings.ports.values import dataclass

AWAITING_PULL: Final = Hold(reason="awaiting-pull")
QUALIFYING: Final = Hold(reason="client-on-trial")
PACING: Final = Hold(reason="pacing")

Choice: TypeAlias = TransportName | Hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What one message meets on the ways of its session.

    ``is_busy``: a turn is known to run, so a frame is seen only later; the message has not waited a
    minute for its end yet. ``fits_line``: all of it is
    one line. ``socket_has_room``: the client takes one more frame now. ``line_has_room``: the lines that are not known to be seen leave room for it.
    """

    ways: Ways
    standing: Standing
    is_busy: bool
    fits_line: bool
    socket_has_room: bool
    line_has_room: bool


def choose_transport(passage: Passage) -> Choice:
    """The first way that the session has; a wait on that way is a wait, and no reason for the next."""
    ways = passage.ways
    by_socket = _by_socket(passage) if ways.socket else None
    if by_socket is not None:
        return by_socket
    if not (ways.line and passage.fits_line):
        return AWAITING_PULL
    return TransportName.MONITOR_LINE if passage.line_has_room else PACING


def first_way(ways: Ways, standing: Standing) -> TransportName:
    """The way that a short message takes once nothing delays it: what ``ls`` tells."""
    if ways.socket and standing is not Standing.UNQUALIFIED:
        return TransportName.HARNESS_SOCKET
    return TransportName.MONITOR_LINE if ways.line else TransportName.INBOX


def _by_socket(passage: Passage) -> Choice | None:
    """None where the version is not to be written to: that does not change by waiting."""
    match passage.standing:
        case Standing.QUALIFIED:
            return TransportName.HARNESS_SOCKET if passage.socket_has_room else PACING
        case Standing.UNTRIED if passage.ways.takes_trial and not passage.is_busy:
            return TransportName.HARNESS_SOCKET
        case Standing.UNTRIED | Standing.ON_TRIAL:
            return QUALIFYING
        case Standing.UNQUALIFIED:
            return None
