"""Tests of one group run on one worker: what process tests that share an office rely on."""

import os

import pytest

GROUP = "the-group-of-this-test"


@pytest.mark.xdist_group(GROUP)
def test_the_mark_of_a_group_reaches_the_scheduler(pytestconfig: pytest.Config) -> None:
    """pytest-xdist schedules by the end of a node's id; where it cannot write it, nobody is told."""
    schedules = bool(os.environ.get("PYTEST_XDIST_WORKER")) and pytestconfig.getoption("loadgroup")
    node = os.environ["PYTEST_CURRENT_TEST"].removesuffix(" (call)")

    assert node.endswith(f"@{GROUP}") is bool(schedules)
