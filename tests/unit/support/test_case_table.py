"""The command behind ``make cases``, run on a small project of its own."""

from pathlib import Path

import pytest

from support.case_files import CaseFileError, read_answers, read_titles
from support.cases import main

TITLES = '[S]\nS1 = "one"\nS2 = "two"\nS4 = "four | five"\n[M]\nM1 = "first"\n'
ANSWERS = """
[[answered]]
cases = ["S2"]
decision = "D33"
reason = "Nothing older exists."
[[changed]]
cases = ["M1"]
decision = "D2, D7"
now = "It is named otherwise."
"""
TEST = 'import pytest\n@pytest.mark.case("{case}")\ndef test_it():\n    {body}\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/cases.toml").write_text(TITLES)
    (tmp_path / "tests/case_answers.toml").write_text(ANSWERS)
    return tmp_path


def write_test(project: Path, case: str, body: str = "assert 1 + 1 == 2") -> None:
    (project / "tests/test_it.py").write_text(TEST.format(case=case, body=body))


def test_it_prints_what_is_pinned_answered_and_open(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_test(project, "S1")
    assert main([], project) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows == [
        ["family", "cases", "pinned", "answered", "open"],
        ["S", "3", "1", "1", "1"],
        ["M", "1", "0", "0", "1"],
        ["total", "4", "1", "1", "2"],
    ]


def test_it_writes_one_row_for_each_case(project: Path) -> None:
    write_test(project, "S1")
    main([], project)
    page = (project / "docs/cases.md").read_text()
    assert "| S1 | one | `tests/test_it.py::test_it` |\n" in page
    assert "| S2 | two | answered (D33): Nothing older exists. |\n" in page
    assert "| S4 | four \\| five | open |\n" in page
    assert "| M1 | first | open<br>changed (D2, D7): It is named otherwise. |\n" in page


def test_a_changed_case_is_open_until_it_is_pinned(project: Path) -> None:
    write_test(project, "M1")
    main([], project)
    page = (project / "docs/cases.md").read_text()
    assert "`tests/test_it.py::test_it`<br>changed (D2, D7): It is named otherwise." in page


def test_a_test_without_an_assertion_is_named_and_not_counted(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_test(project, "S1", body="pass")
    assert main([], project) == 0
    out = capsys.readouterr().out
    assert "not counted: S1: tests/test_it.py::test_it: it has no assertion\n" in out
    assert "| S1 | one | open |" in (project / "docs/cases.md").read_text()
    assert main(["--check"], project) == 1


def test_an_unknown_id_is_refused_and_nothing_is_written(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_test(project, "S3")
    assert main([], project) == 1
    assert "tests/test_it.py::test_it: there is no case 'S3'" in capsys.readouterr().err
    assert not (project / "docs").exists()


def test_an_answered_case_cannot_be_pinned_as_well(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_test(project, "S2")
    assert main([], project) == 1
    assert "S2 is answered in tests/case_answers.toml" in capsys.readouterr().err


def test_check_passes_on_the_written_table_and_fails_on_a_stale_one(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_test(project, "S1")
    assert main(["--check"], project) == 1
    assert main([], project) == 0
    assert main(["--check"], project) == 0
    write_test(project, "S4")
    assert main(["--check"], project) == 1
    assert "docs/cases.md is stale" in capsys.readouterr().err


def test_unknown_arguments_are_a_usage_error(project: Path) -> None:
    assert main(["--chekc"], project) == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[S]\nM1 = "x"\n', "M1 is no id of the family S"),
        ('[S]\nS01 = "x"\n', "S01 is no id"),
        ('[S]\nS1 = ""\n', "S1 needs a title"),
        (f'[S]\nS1 = "{"x" * 91}"\n', "S1 needs a title"),
        ("[S\n", "cases.toml: "),
    ],
)
def test_a_bad_title_is_refused(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "cases.toml"
    path.write_text(text)
    with pytest.raises(CaseFileError, match=why):
        read_titles(path)


ENTRY = '[[{table}]]\ncases = ["{case}"]\ndecision = "{decision}"\n{key} = "x"\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (ENTRY.format(table="answered", case="S9", decision="D1", key="reason"), "no case S9"),
        (ENTRY.format(table="answered", case="S1", decision="later", key="reason"), "no decision"),
        (ENTRY.format(table="answered", case="S1", decision="decision 0099", key="reason"), "0099"),
        (ENTRY.format(table="answered", case="S1", decision="D1", key="why"), "give cases"),
        (ENTRY.format(table="skipped", case="S1", decision="D1", key="reason"), "unknown table"),
        (2 * ENTRY.format(table="changed", case="S1", decision="D1", key="now"), "stands twice"),
        (
            ENTRY.format(table="changed", case="S1", decision="D1", key="now")
            + ENTRY.format(table="answered", case="S1", decision="D1", key="reason"),
            "S1 is answered and changed",
        ),
    ],
)
def test_a_bad_answer_is_refused(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "tests" / "case_answers.toml"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(CaseFileError, match=why):
        read_answers(path, {"S1"})


COUNTS = {"S": 120, "SP": 31, "SM": 20, "SX": 21, "M": 179, "R": 274, "F": 78}


def test_the_committed_ids_are_complete() -> None:
    titles = read_titles(Path(__file__).parents[2] / "cases.toml")
    assert {family: len(cases) for family, cases in titles.items()} == COUNTS


def test_a_record_of_docs_is_a_decision_too(tmp_path: Path) -> None:
    path = tmp_path / "tests" / "case_answers.toml"
    for folder in (path.parent, tmp_path / "docs" / "decisions"):
        folder.mkdir(parents=True)
    (tmp_path / "docs/decisions/0010-labels.md").write_text("")
    path.write_text(ENTRY.format(table="changed", case="S1", decision="decision 0010", key="now"))
    assert read_answers(path, {"S1"}).changed["S1"].decision == "decision 0010"
