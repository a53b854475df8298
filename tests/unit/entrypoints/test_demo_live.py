"""The demo on a terminal of any width: refs and states are told whole."""

import re

import pytest

from tidings import Receipt, Tidings
from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.demo_live import LiveTeller
from tidings.entrypoints.twin import MemoryPorts

ADDRESSES = ("api", "an-agent-with-a-name-of-32-chars")


@pytest.fixture
def receipts() -> list[tuple[str, MessageView]]:
    app = Application(MemoryPorts())
    tidings = Tidings(app)
    front = tidings.join("front")
    found: list[tuple[str, MessageView]] = []
    for address in ADDRESSES:
        agent = tidings.join(address)
        agent.arm()
        receipt = front.send(address, "hello")
        assert isinstance(receipt, Receipt)
        agent.inbox()
        found.append((address, app.post_office.view(receipt.ref)))
    return found


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 200])
def test_the_receipts_of_the_demo_are_whole_at_any_width(
    columns: int,
    receipts: list[tuple[str, MessageView]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    LiveTeller().end(receipts, seconds=1.0, failed="")
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= columns
    assert "\u2026" not in said, "an ellipsis: something was cut"
    joined = re.sub(r"\s+", "", said)
    for address, view in receipts:
        assert view.short in said
        assert address in joined
    assert joined.count("delivered") == len(receipts)
    assert "written" in joined
    assert "0.0 s" in said
