"""``tidings should-arm``: a silent yes or no for scripts (S 4.8)."""

import os
from collections.abc import Sequence

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
        if not isinstance(caller, SessionCaller) or caller.session_key is None:
            return NO
        return YES if app.consent.state(caller.session_key).is_open else NO
    except (TidingsError, OSError, ValueError):
        return NO
