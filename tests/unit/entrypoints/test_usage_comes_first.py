from pathlib import Path

import pytest

from tidings.entrypoints.cli.main import main


@pytest.mark.parametrize("text", ["", " ", "\n\t "])
def test_a_blank_text_is_said_before_the_target_is_looked_up(
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TIDINGS_HOME", str(tmp_path / "state"))
    assert main(["send", "nobody", "--", text]) == 2
    assert "the text is blank" in capsys.readouterr().err
    assert not (tmp_path / "state").exists()


def test_a_short_ref_and_an_unknown_one_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TIDINGS_HOME", str(tmp_path / "state"))
    assert main(["show", "mab"]) == 3
    assert "at least 5 letters" in capsys.readouterr().err
    assert main(["show", "mabcdef"]) == 3
    assert "at least" not in capsys.readouterr().err
