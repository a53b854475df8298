"""The recorded order of the real clients' events, replayed with an unreadable status (H 2, D23).

Each row of the table says, event by event, whether the session is free (``.``) or awaits its
operator (``#``); a scenario that is not in the table shows no dialog at all. Rows that a sleeping
or signalled test hook wrote are no events and are skipped.
"""

from __future__ import annotations

import pytest

from support.hook_events import line, payload, question, record, recorded_order
from support.observed_session import KEY, PID, Session
from tidings.domain.interaction.freedom import Free
from tidings.ports.codec import Document

SHOWN = {
    "ask": ".###....",
    "codex-approval-esc": "..#.",
    "codex-approval-second": "..#..",
    "codex-perm-hook": "...#..",
    "fail": "#...#....",
    "i-ask-hook": ".##....",
    "i-elicitation": "......##......",
    "i-perm-hook-deny": "..###.",
    "i-perm-hook-human-first": "..#....",
    "i-perm-hook-slow-allow": "...#....",
    "i-perm-peer": "..#.....",
    "p-elicitation": "......####..",
    "p-hook-allow": "...#.....",
    "p-perm": "...###..",
    "p-stream": "...#........",
    "perm-allowed": "..##....",
    "perm-denied-esc": "..#",
    "perm-denied-no": "..#",
}
"""A denial leaves no event behind (H 9): by events alone such a session never becomes free again.
A form that a hook answered (p-elicitation) has no ElicitationResult, so the turn's end closes it."""

LEFT_OUT = {
    "peer-sendmessage": "two sessions in one list, which names alone cannot tell apart",
}


def events_of(scenario: Document) -> list[tuple[float, str, str]]:
    """(second, event, detail) without the rows that are no events."""
    rows = scenario["events"]
    assert isinstance(rows, list)
    found: list[tuple[float, str, str]] = []
    for row in rows:
        assert isinstance(row, list)
        second, name, detail = row[0], row[1], row[2] if len(row) > 2 else ""
        assert isinstance(second, int | float)
        if not str(detail).startswith(("slept ", "signal ")):
            found.append((float(second), str(name), str(detail)))
    return found


def shaped(name: str, detail: str) -> Document:
    """A payload of the recorded shape for an event of which only the name was kept."""
    match name:
        case "Notification":
            return payload(name, notification_type=detail, message="Claude needs you")
        case "SessionStart":
            return payload(name, source=detail)
        case "SessionEnd":
            return payload(name, reason=detail)
        case "Elicitation" | "ElicitationResult":
            return payload(name, mcp_server_name="elic", mode="form")
        case "SubagentStart" | "SubagentStop":
            return payload(name, agent_id="a9073c8f0718ff42f", agent_type="")
        case "UserPromptSubmit":
            return payload(name, prompt="hello", turn_id="t1")
        case _ if detail == "AskUserQuestion":
            return question(name)
        case _:
            given: Document = {"command": f"run {detail}"}
            return payload(name, tool_name=detail, tool_input=given, turn_id="t1")


SCENARIOS = {str(row["scenario"]): events_of(row) for row in recorded_order()}


class Replay:
    """One process's events, one after the other."""

    def __init__(self, client: str) -> None:
        self.session = Session()
        self.session.unpublish()
        self.client = client

    def tell(self, second: float, name: str, detail: str) -> None:
        """The hook of one event, started at its recorded second."""
        document = shaped(name, detail)
        tick = 1_000 + round(second * 100)
        if record(document, tick=tick, client=self.client) is not None:
            self.session.spool.append(KEY, line(document, tick=tick, client=self.client))

    def shows(self) -> str:
        freedom = self.session.observer.freedom(KEY, PID)
        return "." if isinstance(freedom, Free) else "#"


def replayed(scenario: str) -> tuple[str, list[Replay]]:
    """What is shown after each event, and the processes (a start after an end is a new one)."""
    client = "codex" if scenario.startswith("codex-") else "claude"
    lives, shown, ended = [Replay(client)], "", False
    for second, name, detail in SCENARIOS[scenario]:
        if name == "SessionStart" and ended:
            lives.append(Replay(client))
        ended = name == "SessionEnd" and detail != "clear"
        lives[-1].tell(second, name, detail)
        shown += lives[-1].shows()
    return shown, lives


@pytest.mark.case("R231")
@pytest.mark.parametrize("scenario", sorted(SCENARIOS.keys() - LEFT_OUT.keys()))
def test_a_recorded_scenario_shows_exactly_its_dialogs(scenario: str) -> None:
    shown, _lives = replayed(scenario)
    assert shown == SHOWN.get(scenario, "." * len(SCENARIOS[scenario]))


@pytest.mark.parametrize("scenario", sorted(SCENARIOS.keys() - LEFT_OUT.keys()))
def test_a_recorded_scenario_folds_alike_in_one_go(scenario: str) -> None:
    """What was judged event by event over the unfolded spool is what one fold stores."""
    shown, lives = replayed(scenario)
    state = lives[-1].session.observer.fold(KEY)
    assert bool(state.dialogs.open) == (shown[-1] == "#")
    assert lives[-1].shows() == shown[-1]


def test_every_scenario_of_the_tables_was_recorded() -> None:
    assert SHOWN.keys() | LEFT_OUT.keys() <= SCENARIOS.keys()
    assert len(SCENARIOS) == 70


@pytest.mark.parametrize(
    "scenario", ["exit", "sig-TERM", "sig-HUP", "p-resume", "codex-quit-nodaemon"]
)
def test_an_orderly_end_is_known_of_a_session_that_was_known(scenario: str) -> None:
    _shown, lives = replayed(scenario)
    known = scenario != "exit"
    assert [life.session.observer.state(KEY).ended for life in lives] == [known] * len(lives)


@pytest.mark.parametrize("scenario", ["clear", "sig-KILL", "perm-denied-esc"])
def test_nothing_else_ends_a_session(scenario: str) -> None:
    _shown, lives = replayed(scenario)
    assert not lives[-1].session.observer.state(KEY).ended
