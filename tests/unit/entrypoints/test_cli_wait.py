"""Waiting for a library process: it takes no turns, so nobody waits for the end of one."""

from pathlib import Path

import pytest

from tidings import Tidings
from tidings.entrypoints.cli.main import main


@pytest.mark.parametrize("until", ["idle", "needs-you"])
def test_what_never_comes_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], until: str
) -> None:
    monkeypatch.setenv("TIDINGS_HOME", str(tmp_path))
    with Tidings.open(str(tmp_path)) as tidings:
        tidings.join("mux")
        assert main(["wait", "mux", "--until", until]) == 2
        assert (
            f"mux is a process that takes no turns: it is never {until}" in capsys.readouterr().err
        )
        assert main(["wait", "mux", "--until", "gone", "--timeout", "1s"]) == 6
