"""Who may widen consent: the session itself, or a person at a terminal (D9)."""

import pytest

from tidings.domain.consent.widening import TRACES, Widening, judge_widening
from tidings.domain.identity.caller import Caller, ScriptCaller, SessionCaller, TerminalCaller

OWN, OTHER = "41-0123abcd", "42-0123abcd"
INSIDE = SessionCaller(pid=41, session_key=OWN, sighting=None)
UNREGISTERED = SessionCaller(pid=41, session_key=None, sighting=None)
PERSON, SCRIPT = TerminalCaller(tty="/dev/pts/1"), ScriptCaller()
TRACED = {"CLAUDECODE": "1"}

TABLE: list[tuple[Caller, str, str, dict[str, str], Widening]] = [
    (INSIDE, OWN, "", {}, Widening.ALLOWED),
    (INSIDE, OTHER, "", {}, Widening.NOT_YOURS),
    (INSIDE, "", "", {}, Widening.NOT_YOURS),
    (INSIDE, OWN, "", TRACED, Widening.ALLOWED),
    (UNREGISTERED, OWN, "", {}, Widening.NOT_YOURS),
    (UNREGISTERED, "", "", {}, Widening.NOT_YOURS),
    (PERSON, OWN, "", {}, Widening.ALLOWED),
    (PERSON, "", "", {}, Widening.ALLOWED),
    (PERSON, OWN, "", TRACED, Widening.CALLER_UNCLEAR),
    (PERSON, "", "", TRACED, Widening.CALLER_UNCLEAR),
    (PERSON, OWN, OWN, TRACED, Widening.ALLOWED),
    (PERSON, OTHER, OWN, TRACED, Widening.CALLER_UNCLEAR),
    (SCRIPT, OWN, "", {}, Widening.OPERATOR_NEEDED),
    (SCRIPT, "", "", {}, Widening.OPERATOR_NEEDED),
    (SCRIPT, OWN, OWN, {}, Widening.ALLOWED),
    (SCRIPT, OTHER, OWN, {}, Widening.OPERATOR_NEEDED),
    (SCRIPT, OTHER, OWN, TRACED, Widening.CALLER_UNCLEAR),
]


@pytest.mark.parametrize(("caller", "session_key", "own_key", "environment", "judged"), TABLE)
def test_the_judgement(
    caller: Caller,
    session_key: str,
    own_key: str,
    environment: dict[str, str],
    judged: Widening,
) -> None:
    assert judge_widening(caller, session_key, own_key=own_key, environment=environment) is judged


@pytest.mark.parametrize("trace", TRACES)
def test_any_trace_of_a_harness_makes_a_caller_unclear_and_an_empty_one_does_not(
    trace: str,
) -> None:
    judged = judge_widening(PERSON, OWN, own_key="", environment={trace: "1"})
    assert judged is Widening.CALLER_UNCLEAR
    assert judge_widening(PERSON, OWN, own_key="", environment={trace: ""}) is Widening.ALLOWED


def test_no_caller_inside_a_session_ever_widens_anothers() -> None:
    for own_key in ("", OTHER):
        for caller in (INSIDE, UNREGISTERED):
            judged = judge_widening(caller, OTHER, own_key=own_key, environment={})
            assert judged is Widening.NOT_YOURS
