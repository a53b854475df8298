"""``tidings demo``: its lines are the published ones, and it leaves nothing behind (issue 2)."""

from pathlib import Path

from support.office import TIDINGS, run
from tidings.adapters.wire.published import DemoEnd, DemoStep
from tidings.entrypoints.demo.story import STORY


def test_the_demo_tells_its_steps_and_ends_with_the_receipts(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment = {"HOME": str(home), "TMPDIR": str(tmp_path)}
    said = run([*TIDINGS, "demo", "--json"], environment=environment, stdin=b"", cwd=tmp_path)
    assert (said.code, said.err) == (0, ""), said
    *lines, last = said.out.splitlines()
    steps = [DemoStep.model_validate_json(line) for line in lines]
    assert [step.name for step in steps] == [step.name for step in STORY]
    end = DemoEnd.model_validate_json(last)
    assert (end.ok, end.failed) == (True, "")
    assert end.seconds < 15
    assert [receipt.state for receipt in end.receipts] == ["delivered"] * 3
    assert [path.name for path in tmp_path.rglob("*")] == ["home"]


def test_a_demo_that_nobody_can_read_says_so_and_ends(tmp_path: Path) -> None:
    words = ["sh", "-c", 'exec "$@" >/dev/full', "sh", *TIDINGS, "demo"]
    environment = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    said = run(words, environment=environment, stdin=b"", cwd=tmp_path)
    assert said.code == 70
    assert said.err == "tidings: the output could not be written: No space left on device\n"
    assert list(tmp_path.iterdir()) == []
