"""The real client for the tests here, or the reason why there is none."""

import os
from collections.abc import Callable
from typing import TypeAlias, TypeVar

import pytest

from conformance.clients import Client, Skip, claude_client
from conformance.launcher import run_scenario
from conformance.namespace import entering_command
from tidings.ports.codec import Document

T = TypeVar("T")
RunScenario: TypeAlias = Callable[[str], Document]

REQUIRED_VARIABLE = "TIDINGS_CONFORMANCE_REQUIRED"


@pytest.fixture(scope="session")
def entering() -> tuple[str, ...]:
    """The command that enters a fresh namespace."""
    return _or_skip(entering_command())


@pytest.fixture(scope="session")
def claude(entering: tuple[str, ...]) -> Client:
    """Claude Code; looked for only where it could run."""
    return _or_skip(claude_client())


@pytest.fixture(scope="session")
def run_with_claude(claude: Client, entering: tuple[str, ...]) -> RunScenario:
    """Runs a scenario by its name, with Claude Code in a namespace of its own."""

    def run(name: str) -> Document:
        return run_scenario(name, client=claude, entering=entering)

    return run


def _or_skip(found: T | Skip) -> T:
    """Skips with the reason; where the run is meant to have the client, that is a failure."""
    if not isinstance(found, Skip):
        return found
    if os.environ.get(REQUIRED_VARIABLE):
        pytest.fail(f"{REQUIRED_VARIABLE} is set, but: {found.reason}")
    pytest.skip(f"real client: {found.reason}")
