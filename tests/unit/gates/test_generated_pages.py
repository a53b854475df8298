"""Generated pages say what their sources say, and an advice names only what exists."""

import ast
import re
from pathlib import Path

import pytest

from support.features_page import promises
from support.generated import main
from support.project import ROOT, product_files
from support.reasons import COMMAND, reasons_page
from tidings.domain.consent.arming import ConsentReason
from tidings.domain.messages.reasons import CATALOGUE
from tidings.entrypoints.cli.parsing import OPTIONS

FEATURE = """Feature: P3, one thing

  Rule: So it is

    Scenario: Once
      Given it

    Scenario Outline: Often
      Given it
"""


def test_every_generated_page_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--check"], ROOT)
    assert code == 0, capsys.readouterr().out


def test_a_page_that_is_not_current_is_named_and_then_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "features").mkdir()
    (tmp_path / "features/one.feature").write_text(FEATURE)
    (tmp_path / "docs/reasons.md").write_text("old")
    assert main(["--check"], tmp_path) == 1
    assert "docs/reasons.md is not current" in capsys.readouterr().out
    assert main([], tmp_path) == 0
    assert main(["--check"], tmp_path) == 0
    index = (tmp_path / "features/README.md").read_text()
    assert "## P3: one thing\n\n- [So it is](one.feature) (2)\n" in index


def test_each_of_the_twelve_promises_has_one_feature() -> None:
    assert promises(ROOT) == list(range(1, 13))


def test_every_reason_of_the_product_is_on_the_page() -> None:
    tokens = set(re.findall(r"^\| `([A-Za-z-]+)` \|", reasons_page(), re.MULTILINE))
    assert tokens >= {*CATALOGUE, *ConsentReason, *reasons_of_errors()}


def reasons_of_errors() -> set[str]:
    """The ``reason`` of every ``NotAllowed`` in the sources; a variable part counts as ``VERB``."""
    found: set[str] = set()
    for path in product_files():
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "NotAllowed":
                found |= {token(one.value) for one in node.keywords if one.arg == "reason"}
    assert len(found) > 2
    return found


def token(value: ast.expr) -> str:
    parts = value.values if isinstance(value, ast.JoinedStr) else [value]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "VERB" for part in parts)


@pytest.mark.parametrize("reason", CATALOGUE)
def test_a_next_step_names_only_options_that_exist(reason: str) -> None:
    named = set(re.findall(r"--[a-z-]+", CATALOGUE[reason].next_step))
    assert named - {*OPTIONS} == set()


def test_the_reasons_of_the_command_are_no_reasons_of_messages_under_another_name() -> None:
    both = {*COMMAND} & {*CATALOGUE}
    assert both == {"source-not-yours"}
