from pathlib import Path

import pytest

from tidings.entrypoints.cli.main import main


@pytest.mark.parametrize(
    "words", [["whoami"], ["send", "api", "--", "hi"], ["reply", "mabcde", "--", "x"]]
)
def test_a_state_folder_that_cannot_be_looked_into_makes_nobody_a_session(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TIDINGS_HOME", str(tmp_path))
    (tmp_path / "sessions").write_text("in the way")
    assert main(words) == 7
    said = capsys.readouterr()
    assert said.out == ""
    assert "check the state folder" in said.err


@pytest.mark.parametrize("verb", ["arm", "disarm", "reset", "status", "show"])
def test_a_name_that_is_no_utf8_is_a_usage_error(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TIDINGS_HOME", str(tmp_path))
    assert main([verb, "\udcff"]) == 2
    assert "not UTF-8" in capsys.readouterr().err
    assert main(["send", "api", "--ref", "\udcff", "--", "hi"]) == 2
