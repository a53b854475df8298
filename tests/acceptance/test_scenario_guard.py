"""The step library fails a scenario that meets a refusal which it does not state."""

import subprocess
import sys
from pathlib import Path

import pytest

from steps.ledger import Ledger, NothingToState, Trouble, UnstatedTrouble

HERE = Path(__file__).parent
FEATURE = """
Feature: The guard
  Background:
    Given the sessions front and api

  Scenario: a refusal that nobody states
    When front sends api "hello"
    Then nothing is stored

  Scenario: a refusal that is stated
    When front sends api "hello"
    Then the send is refused: the target has not agreed to hear it

  Scenario: a refusal that is stated wrongly
    When front sends api "hello"
    Then the send is refused: the target's consent cannot be read or proved

  Scenario: a hold that is over by the end and that nobody states
    Given api is armed
    And api shows its operator a question
    When front sends api "hello"
    And the operator of api denies it
    Then the message is delivered

  Scenario: an error that nobody states
    When front sends nobody "hello"
    Then nothing is stored
"""
REFUSED = Trouble(about="send to api", token="target-not-armed", exit_code=5)


def test_what_was_met_and_not_stated_fails_the_scenario() -> None:
    ledger = Ledger()
    ledger.note(REFUSED)
    with pytest.raises(UnstatedTrouble, match="target-not-armed"):
        ledger.check()


def test_what_was_stated_passes() -> None:
    ledger = Ledger()
    ledger.note(REFUSED)
    stated = ledger.state(lambda met: met.token == "target-not-armed", "it")
    ledger.check()
    assert stated == REFUSED
    assert ledger.last == REFUSED


def test_a_when_step_cannot_wave_its_own_refusal_through() -> None:
    ledger = Ledger(step="when")
    ledger.note(REFUSED)
    with pytest.raises(NothingToState):
        ledger.state(lambda met: met == REFUSED, "it")


def test_nothing_that_was_not_met_can_be_stated() -> None:
    with pytest.raises(NothingToState, match="nothing"):
        Ledger().state(lambda met: met == REFUSED, "a refusal")


def test_real_scenarios_fail_at_their_end_with_the_reason(tmp_path: Path) -> None:
    report = _run(tmp_path)
    assert _line(report, "ERROR", "a_refusal_that_nobody_states").count("target-not-armed") == 1
    assert _line(report, "ERROR", "a_hold_that_is_over").count("target-awaiting-operator") == 1
    assert _line(report, "ERROR", "an_error_that_nobody_states").count("NotFound") == 1
    assert _line(report, "FAILED", "stated_wrongly").count("NothingToState") == 1
    assert "1 failed, 4 passed, 3 errors" in report


def _run(folder: Path) -> str:
    """What pytest reports of ``FEATURE`` under the same step library."""
    (folder / "conftest.py").write_text((HERE / "conftest.py").read_text(encoding="utf-8"))
    (folder / "guard.feature").write_text(FEATURE, encoding="utf-8")
    bind = "from pytest_bdd import scenarios\nscenarios('guard.feature')\n"
    (folder / "test_guard.py").write_text(bind)
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", str(folder)]
    ran = subprocess.run(
        [*command, f"--rootdir={folder}", "--tb=line"],
        cwd=folder,
        env={"PYTHONPATH": str(HERE.parent), "COLUMNS": "250"},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    return ran.stdout


def _line(report: str, word: str, title: str) -> str:
    """The line of the summary that says ``word`` of the scenario."""
    found = [one for one in report.splitlines() if one.startswith(word) and title in one]
    assert len(found) == 1, report
    return found[0]
