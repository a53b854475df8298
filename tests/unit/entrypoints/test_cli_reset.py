from pathlib import Path

import pytest

from tidings import Tidings
from tidings.adapters.wire.published import WasReset
from tidings.entrypoints.cli.main import main


@pytest.mark.case("S107")
def test_a_reset_takes_back_any_word_and_says_whether_there_was_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TIDINGS_HOME", str(tmp_path))
    monkeypatch.setattr("tidings.entrypoints.cli.desk.controlling_terminal", lambda: "/dev/pts/9")
    with Tidings.open(str(tmp_path)) as tidings:
        member = tidings.join("mux")
        member.disarm()
        assert main(["reset", "mux", "--json"]) == 0
        taken = WasReset.model_validate_json(capsys.readouterr().out)
        assert taken.removed
        assert Path(taken.path).parent == tmp_path / "consent"
        assert main(["status", "mux"]) == 0
        assert capsys.readouterr().out == "mux is neither armed nor disarmed and hears replies\n"
        assert main(["reset", "mux", "--json"]) == 0
        assert not WasReset.model_validate_json(capsys.readouterr().out).removed


def test_a_mark_that_does_not_read_is_named_and_reset_gets_rid_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TIDINGS_HOME", str(tmp_path))
    monkeypatch.setattr("tidings.entrypoints.cli.desk.controlling_terminal", lambda: "/dev/pts/9")
    with Tidings.open(str(tmp_path)) as tidings:
        tidings.join("mux").arm()
        mark = next((tmp_path / "consent").glob("*.json"))
        mark.write_bytes(b"{garbage")
        assert main(["arm", "mux"]) == 7
        assert "`tidings reset`" in capsys.readouterr().err
        assert main(["reset", "mux"]) == 0
        assert main(["arm", "mux"]) == 0
