"""The fixtures of the scenarios, and the guard around every step."""

from collections.abc import Generator

import pytest
from pytest_bdd.parser import Step

from steps.ledger import Ledger
from steps.memory_world import MemoryWorld
from steps.real_world import RealWorld
from steps.world import World
from tidings.entrypoints.demo.stage import Stage

REAL = "real"
"""The tag of scenarios that run on real processes."""


def pytest_configure(config: pytest.Config) -> None:
    """Makes the tag a known marker."""
    config.addinivalue_line("markers", f"{REAL}: the scenario runs on real processes")


@pytest.fixture
def ledger() -> Generator[Ledger]:
    """The guard: whatever the scenario met and did not state fails it here."""
    ledger = Ledger()
    yield ledger
    ledger.check()


@pytest.fixture
def world(request: pytest.FixtureRequest, ledger: Ledger) -> Generator[World]:
    """In memory, unless the scenario asks for real processes."""
    if REAL not in request.keywords:
        yield MemoryWorld(ledger)
        return
    stage = Stage()
    try:
        yield RealWorld(ledger, stage)
    finally:
        stage.close()


@pytest.fixture
def memory(world: World) -> MemoryWorld:
    """The world, for steps that only make sense in memory."""
    assert isinstance(world, MemoryWorld), "this step needs the world in memory"
    return world


def pytest_bdd_before_step(request: pytest.FixtureRequest, step: Step) -> None:
    """Tells the ledger what kind of step runs."""
    request.getfixturevalue("ledger").step = step.type


def pytest_bdd_after_step(request: pytest.FixtureRequest, step: Step) -> None:
    """Lets a moment pass after whatever changes something, and notes what came of it."""
    if step.type != "then":
        request.getfixturevalue("world").moment()


def pytest_bdd_step_error(request: pytest.FixtureRequest) -> None:
    """The scenario fails with this step; what it did not get to state is no second fault."""
    request.getfixturevalue("ledger").is_abandoned = True
