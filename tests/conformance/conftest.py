"""The real clients for the tests here, or the reason why there is none; and which of them run."""

import os
from collections.abc import Callable
from typing import TypeAlias, TypeVar, cast

import pytest

from conformance.clients import PINNED_VERSION, Client, Skip, claude_client, other_version
from conformance.launcher import run_scenario
from conformance.namespace import entering_command
from conformance.table import VERSION_PROPERTY, table_lines
from tidings.ports.codec import Document

T = TypeVar("T")
RunScenario: TypeAlias = Callable[[str], Document]

REQUIRED_VARIABLE = "TIDINGS_CONFORMANCE_REQUIRED"
WHOLE_VARIABLE = "TIDINGS_CONFORMANCE_WHOLE"
"""Set: the whole list with two releases (`make conformance`). Unset: the core with the pinned one."""

PINNED, OTHER = "pinned", "other"


@pytest.fixture(scope="session")
def entering() -> tuple[str, ...]:
    """The command that enters a fresh namespace."""
    return _or_skip(entering_command())


@pytest.fixture(scope="session", params=(PINNED, OTHER))
def claude(request: pytest.FixtureRequest, entering: tuple[str, ...]) -> Client:
    """Claude Code; looked for only where it could run."""
    if request.param == PINNED:
        return _or_skip(claude_client(PINNED_VERSION))
    found = other_version()
    if isinstance(found, Skip):
        pytest.skip(f"other release: {found.reason}")
    other = claude_client(found)
    if isinstance(other, Skip):
        pytest.skip(f"other release: {other.reason}")
    return other


@pytest.fixture(scope="session")
def run_with_claude(claude: Client, entering: tuple[str, ...]) -> RunScenario:
    """Runs a scenario by its name, with Claude Code in a namespace of its own."""

    def run(name: str) -> Document:
        return run_scenario(name, client=claude, entering=entering)

    return run


@pytest.fixture(autouse=True)
def tell_version(
    request: pytest.FixtureRequest, record_property: Callable[[str, str], None]
) -> None:
    """Puts the version that really ran into the report, for the table."""
    if "claude" in request.fixturenames:
        client = cast("Client", request.getfixturevalue("claude"))
        record_property(VERSION_PROPERTY, client.version)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is not asked for, and keeps the tests of one client run on one worker."""
    ours = [item for item in items if item.get_closest_marker("conformance")]
    for item in ours:
        item.add_marker(pytest.mark.xdist_group(f"{item.path.stem}-{_role(item)}"))
    if os.environ.get(WHOLE_VARIABLE):
        return
    left_out = [item for item in ours if not _is_core(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Ends a run of the whole list with its table."""
    if os.environ.get(WHOLE_VARIABLE):
        for line in table_lines(terminalreporter.stats):
            terminalreporter.write_line(line)


def _role(item: pytest.Item) -> str:
    return OTHER if OTHER in item.name.partition("[")[2] else PINNED


def _is_core(item: pytest.Item) -> bool:
    return _role(item) == PINNED and not item.get_closest_marker("whole_list")


def _or_skip(found: T | Skip) -> T:
    """Skips with the reason; where the run is meant to have the client, that is a failure."""
    if not isinstance(found, Skip):
        return found
    if os.environ.get(REQUIRED_VARIABLE):
        pytest.fail(f"{REQUIRED_VARIABLE} is set, but: {found.reason}")
    pytest.skip(f"real client: {found.reason}")
