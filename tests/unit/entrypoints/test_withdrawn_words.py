from pathlib import Path

import pytest

from tidings import Receipt, Tidings
from tidings.entrypoints.cli.main import main


@pytest.mark.parametrize("verb", ["disarm", "reset"])
def test_a_waiting_message_says_at_once_that_consent_was_withdrawn(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TIDINGS_HOME", str(tmp_path))
    monkeypatch.setattr("tidings.entrypoints.cli.desk.controlling_terminal", lambda: "/dev/pts/9")
    with Tidings.open(str(tmp_path)) as tidings:
        front, mux = tidings.join("front"), tidings.join("mux")
        mux.arm()
        sent = front.send("mux", "waits for a pull")
        assert isinstance(sent, Receipt)
        assert main([verb, "mux"]) == 0
        now = tidings.show(sent.ref)
        assert (now.state, now.reason) == ("refused", "consent-withdrawn")
        mux.arm()
        assert mux.inbox() == ()
    capsys.readouterr()
    assert main(["ls", "--all"]) == 0
    ended = [line.split() for line in capsys.readouterr().out.splitlines() if "ended" in line]
    assert len(ended) == 2
    assert all(row[-2:] == ["-", "-"] for row in ended), "who is gone hears nothing"
