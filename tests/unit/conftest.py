"""Unit tests see no harness but their own: whoever runs them may sit inside one."""

import pytest

from tidings.domain.consent.widening import TRACES
from tidings.domain.identity.claim import PID_VARIABLES


@pytest.fixture(autouse=True)
def _outside_of_any_harness(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (*TRACES, *PID_VARIABLES):
        monkeypatch.delenv(variable, raising=False)
