"""What the simulated client writes down is read back as it was, whatever a text holds."""

import json
from pathlib import Path

from tidings.entrypoints.simulated.traces import read_lines


def test_a_text_with_line_separators_stays_in_its_line_and_a_torn_line_is_left_out(
    tmp_path: Path,
) -> None:
    file = tmp_path / "commands-1.jsonl"
    said = {"command": "send \u2028 \u2029 \x85 \r"}
    file.write_text(f'{json.dumps(said, ensure_ascii=False)}\n{{"torn', encoding="utf-8")
    assert read_lines(file) == [said]
