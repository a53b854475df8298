"""Short phrases that several verbs share."""

from datetime import datetime

from tidings.domain.consent.arming import ArmState, ArmWord
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.messages.qualification import Standing
from tidings.entrypoints.reach import Reach
from tidings.ports.inbound import InboundPolicy
from tidings.ports.tokens import TransportName

SECOND_NS = 1_000_000_000


def scope_words(scope: ConsentScope, *, now_ns: int) -> str:
    """``everything``, or what the scope narrows it to."""
    if scope.senders == ():
        return "nobody"
    if scope.kinds == ():
        return "nothing"
    parts = [", ".join(scope.senders) if scope.senders is not None else "everyone"]
    if scope.kinds is not None:
        parts.append(f"only {', '.join(scope.kinds)}")
    if scope.until_ns is not None:
        parts.append(f"until {moment_words(scope.until_ns, now_ns=now_ns)}")
    if scope.wake:
        parts.append("a notice may wake it")
    return "; ".join(parts)


def consent_words(word: ArmWord) -> str:
    """What a session is, in a sentence."""
    match word:
        case ArmWord.ARMED | ArmWord.DISARMED | ArmWord.UNVERIFIABLE:
            return str(word)
        case ArmWord.NONE:
            return "neither armed nor disarmed"
        case ArmWord.ERROR:
            return "not readable in its consent"


def hears_words(state: ArmState, *, now_ns: int) -> str:
    """The ``hears`` cell of ``ls``: answers to its own messages are heard unless it said no."""
    match state.word:
        case ArmWord.ARMED:
            return scope_words(state.scope, now_ns=now_ns)
        case ArmWord.DISARMED:
            return "nothing"
        case ArmWord.NONE:
            return "everyone (its repository opted in)" if state.by_default else "replies"
        case ArmWord.ERROR | ArmWord.UNVERIFIABLE:
            return f"nothing ({state.word})"


def moment_words(at_ns: int, *, now_ns: int) -> str:
    """``14:05:09, in 5 m``: this machine's local time, with the date where that is not today's.

    Wall instants; what is later than the calendar of Python is ``far ahead``.
    """
    try:
        at, now = (datetime.fromtimestamp(one // SECOND_NS) for one in (at_ns, now_ns))
    except (OverflowError, ValueError, OSError):
        return "far ahead"
    day = "" if at.date() == now.date() else f"{at.date().isoformat()} "
    return f"{day}{at:%H:%M:%S}, {_distance(at_ns - now_ns)}"


def _distance(nanoseconds: int) -> str:
    age = age_words(abs(nanoseconds))
    size = f"{age[:-1]} {age[-1]}"
    return f"in {size}" if nanoseconds >= 0 else f"{size} ago"


def age_words(nanoseconds: int) -> str:
    """``12s``, ``4m``, ``3h``, ``2d``: one unit, rounded down; never negative."""
    seconds = max(0, nanoseconds) // SECOND_NS
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def duration_words(seconds: int) -> str:
    """``1d12h``, ``10m``, ``90s`` as ``1m30s``: what ``parse_duration`` reads; more than zero."""
    said = ""
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")):
        count, seconds = divmod(seconds, size)
        said += f"{count}{unit}" if count else ""
    return said


def tenths(nanoseconds: int) -> str:
    """``0.4 s``."""
    return f"{max(0, nanoseconds) / SECOND_NS:.1f} s"


_NOT_TRIED = {
    Standing.UNTRIED: ", client version not tried yet",
    Standing.ON_TRIAL: ", client version on trial",
}
_INBOUND = {
    InboundPolicy.HOLD: "; its client holds what comes in",
    InboundPolicy.REFUSE: "; its client refuses what comes in",
    InboundPolicy.UNKNOWN: "; its client's settings do not read",
}


def reach_words(reach: Reach) -> str:
    """The ``reached`` cell of ``ls``, with what its client may do to a message there."""
    match reach.transport:
        case TransportName.HARNESS_SOCKET:
            return (
                f"via socket{_NOT_TRIED.get(reach.standing, '')}{_INBOUND.get(reach.inbound, '')}"
            )
        case TransportName.MONITOR_LINE:
            return "via its monitor's lines"
        case TransportName.INBOX:
            return "it pulls"
