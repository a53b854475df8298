"""``tidings should-arm``: a silent yes or no for scripts (S 4.8)."""

import os
from collections.abc import Sequence

TYPE_CHECKING = False  # a type checker reads it as true; ``typing`` costs half a millisecond

if TYPE_CHECKING:
    from tidings.entrypoints.application import Application

YES = 0
NO = 1


def run(words: Sequence[str]) -> int:
    """0 if the caller's session is armed now, else 1; prints nothing whatever happens.

    Only the bare question for help is answered in words.
    """
    if list(words) in (["-h"], ["--help"]):
        from tidings.entrypoints.cli.parsing import VerbParser

        VerbParser("should-arm").read(words)
    from tidings.domain.identity.caller import SessionCaller
    from tidings.entrypoints.assembly import open_application
    from tidings.ports.errors import TidingsError

    try:
        if words:
            return NO
        app = open_application(os.environ)
        caller = app.callers.who(os.environ, "")
        key = caller.session_key if isinstance(caller, SessionCaller) else _claimed_key(app)
        return YES if key and app.consent.state(key).is_open else NO
    except (TidingsError, OSError, ValueError):
        return NO


def _claimed_key(app: "Application") -> str:
    """The session that a variable names, where no harness is above the caller (D4)."""
    from tidings.domain.identity.claim import PID_VARIABLES

    if not any(os.environ.get(variable) for variable in PID_VARIABLES):
        return ""
    claim, _verified = app.callers.claimed(os.environ)
    return app.probe.capture(claim.pid, socket_path=None).key
