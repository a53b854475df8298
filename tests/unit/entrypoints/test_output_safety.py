"""Self-declared text can move no cursor and make no line (S 4.1, SX5, SX6)."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.entrypoints.cli.output import (
    print_error,
    safe,
    write_json,
    write_json_array,
    write_line,
    write_table,
)
from tidings.ports.codec import Value
from tidings.ports.errors import Ambiguous, NotAllowed, NotFound, UsageError

HOSTILE = "wren\x1b[31m\nfake  row\r\u202egnp\u2028\x9b2J\x7f"


def printable(text: str) -> bool:
    return all(character == "\n" or character.isprintable() for character in text)


@pytest.mark.case("S90", "SX6")
def test_a_hostile_name_stays_in_its_cell(capsys: pytest.CaptureFixture[str]) -> None:
    write_table(("ADDRESS", "NAME"), [("api", HOSTILE), ("front", "plain")])
    said = capsys.readouterr().out
    assert printable(said)
    header, api, front = said.splitlines()
    assert header.index("NAME") == api.index("wren") == front.index("plain")
    assert "wren?[31m?fake" in api


@pytest.mark.case("SX5")
def test_a_line_is_one_line_whatever_it_tells(capsys: pytest.CaptureFixture[str]) -> None:
    write_line(f"{HOSTILE} hears everyone")
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert printable(said)


@given(st.text())
def test_safe_text_is_printable_and_as_long_as_before(text: str) -> None:
    shown = safe(text)
    assert len(shown) == len(text)
    assert not any(unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp") for one in shown)


@pytest.mark.parametrize(
    "hidden", "\u034f\ufe0f\u3164\u115f\uffa0\u17b4\U000e0100\u2800\u200b\u202e"
)
def test_what_shows_nothing_is_seen_in_a_cell(hidden: str) -> None:
    assert safe(f"a{hidden}b") == "a?b"


def test_json_is_ascii_and_says_exactly_what_it_was_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_json({"text": HOSTILE + "\udcff"})
    said = capsys.readouterr().out
    assert said.isascii()
    assert printable(said)
    assert json.loads(said) == {"v": 1, "text": HOSTILE + "\udcff"}


def test_an_array_carries_its_version_in_each_row_and_may_be_empty(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_json_array([])
    assert capsys.readouterr().out == "[]\n"
    write_json_array([{"a": 1}, {"a": HOSTILE}])
    assert json.loads(capsys.readouterr().out) == [{"v": 1, "a": 1}, {"v": 1, "a": HOSTILE}]


def test_an_array_that_goes_out_row_by_row_reads_as_if_it_were_written_whole(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows: list[dict[str, Value]] = [{"a": [1, {"b": "x\ny"}]}, {}, {"c": None}]
    write_json_array(iter(rows))
    whole = json.dumps([{"v": 1, **row} for row in rows], indent=2)
    assert capsys.readouterr().out == whole + "\n"


def test_an_error_is_one_line_with_its_choices_and_its_next_step(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_error(Ambiguous("api names 2", candidates=["a", "b"], next_step="choose"), as_json=False)
    print_error(UsageError(HOSTILE), as_json=False)
    said = capsys.readouterr()
    assert said.out == ""
    first, second = said.err.splitlines()
    assert first == "tidings: api names 2: a, b (choose)"
    assert printable(second)


def test_an_error_in_json_tells_what_its_kind_knows(capsys: pytest.CaptureFixture[str]) -> None:
    errors = (
        NotAllowed("no", reason="target-not-armed"),
        NotFound("who", near=["api"]),
        Ambiguous("which", candidates=["a"]),
        UsageError("how", next_step="so"),
    )
    for error in errors:
        print_error(error, as_json=True)
    rows = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [row["exit_code"] for row in rows] == [5, 3, 4, 2]
    assert (rows[0]["reason"], rows[1]["near"], rows[2]["candidates"], rows[3]["next_step"]) == (
        "target-not-armed",
        ["api"],
        ["a"],
        "so",
    )
