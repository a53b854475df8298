"""Who may widen consent: the session itself, asked in it, or a person at a terminal (D9).

Nothing here can stop code of the same user that means ill (docs/security.md); it stops an agent
that has lost its harness, and a script that nobody watches, from speaking for a person.
"""

from collections.abc import Mapping
from enum import StrEnum

from tidings.domain.identity.caller import Caller, SessionCaller, TerminalCaller

TRACES = (
    "CLAUDECODE",
    "CLAUDE_PID",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_MESSAGING_SOCKET",
    "CODEX_THREAD_ID",
    "CODEX_SESSION_ID",
    "TIDINGS_SESSION_PID",
    "TIDINGS_SESSION_ID",
)
"""What a harness, or who wraps one, leaves in the environment of all that it starts."""


class Widening(StrEnum):
    """Whether a caller may widen the consent of a session, and why not."""

    ALLOWED = "allowed"
    NOT_YOURS = "not-yours"
    CALLER_UNCLEAR = "caller-unclear"
    OPERATOR_NEEDED = "operator-needed"


def judge_widening(
    caller: Caller, session_key: str, *, own_key: str, environment: Mapping[str, str]
) -> Widening:
    """The judgement. ``session_key`` is whose consent it is (empty: everybody's); ``own_key`` the
    session that the variables name and that is proved to be above the caller (empty: none)."""
    if isinstance(caller, SessionCaller):
        return Widening.ALLOWED if session_key == caller.session_key else Widening.NOT_YOURS
    if own_key and own_key == session_key:
        return Widening.ALLOWED
    if any(environment.get(trace) for trace in TRACES):
        return Widening.CALLER_UNCLEAR
    return Widening.ALLOWED if isinstance(caller, TerminalCaller) else Widening.OPERATOR_NEEDED
