"""Short phrases that several verbs share."""

from tidings.domain.consent.arming import ArmState, ArmWord
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.instants import to_rfc3339

SECOND_NS = 1_000_000_000


def scope_words(scope: ConsentScope) -> str:
    """``everything``, or what the scope narrows it to."""
    parts = [", ".join(scope.senders) if scope.senders is not None else "everyone"]
    if scope.kinds is not None:
        parts.append(f"only {', '.join(scope.kinds)}")
    if scope.until_ns is not None:
        parts.append(f"until {to_rfc3339(scope.until_ns)}")
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


def hears_words(state: ArmState) -> str:
    """The ``hears`` cell of ``ls``: answers to its own messages are heard unless it said no."""
    match state.word:
        case ArmWord.ARMED:
            return scope_words(state.scope)
        case ArmWord.DISARMED:
            return "nothing"
        case ArmWord.NONE:
            return "everyone (its repository opted in)" if state.by_default else "replies"
        case ArmWord.ERROR | ArmWord.UNVERIFIABLE:
            return f"nothing ({state.word})"


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
