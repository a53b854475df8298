"""Gherkin tags of the form ``@case:S15`` as the marker that tests use.

``tests/conftest.py`` imports ``pytest_bdd_apply_tag`` from here: pytest-bdd would otherwise make
a marker of the whole tag, which strict markers refuse.
"""

from collections.abc import Callable

import pytest

PREFIX = "case:"


def pytest_bdd_apply_tag(tag: str, function: Callable[..., object]) -> bool | None:
    """Marks the scenario with its case; None leaves any other tag to pytest-bdd."""
    if not tag.startswith(PREFIX):
        return None
    pytest.mark.case(tag.removeprefix(PREFIX))(function)
    return True
