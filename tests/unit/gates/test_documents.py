"""The documents keep to what they promise of themselves."""

import ast
import re
from typing import get_args

from support.project import ROOT
from tidings.adapters.wire.published import ExitCode
from tidings.domain.consent.arming import ArmWord
from tidings.domain.messages.delivery import State
from tidings.domain.messages.evidence import Evidence
from tidings.domain.messages.origin import MessageKind
from tidings.entrypoints.cli.ls import COLUMNS
from tidings.entrypoints.cli.verbs import VERBS

DECISION_LINES = 40


def rows_of(document: str) -> list[list[str]]:
    """The cells of every table row, without the head and the rule below it."""
    lines = (ROOT / "docs" / document).read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    return [row for row in rows if not set(row[0]) <= {"-"} and row[0] not in ("word", "threat")]


def test_the_glossary_is_in_alphabetical_order_and_names_a_word_once() -> None:
    words = [word for word, _ in rows_of("glossary.md")]
    assert words == sorted(set(words), key=str.casefold)


def words_of_ports() -> list[str]:
    """The values of every closed set that ports speak."""
    tree = ast.parse((ROOT / "ports/tokens.py").read_text(encoding="utf-8"))
    closed = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    values = [node.value for found in closed for node in found.body if isinstance(node, ast.Assign)]
    return [str(value.value) for value in values if isinstance(value, ast.Constant)]


def test_every_word_of_a_closed_set_is_in_the_glossary() -> None:
    words = [*ArmWord, *State, *Evidence, *MessageKind, *words_of_ports()]
    assert len(words) > 30
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    assert [word for word in words if not re.search(rf"\b{re.escape(word)}\b", text)] == []


def is_a_test(node_id: str) -> bool:
    """Whether ``path::[Class::]function`` names a test, or a suite of tests, that exists."""
    name, *inner = node_id.split("::")
    path = ROOT / name
    if not path.is_file() or not inner:
        return False
    body: list[ast.stmt] = ast.parse(path.read_text(encoding="utf-8")).body
    for part in inner:
        found = [
            n for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == part
        ]
        if not found:
            return False
        body = found[0].body
    return inner[-1].lower().startswith("test")


def test_every_threat_names_a_test_that_exists_or_says_open() -> None:
    rows = rows_of("security.md")
    assert len(rows) > 10
    for threat, *_, held_by in rows:
        tests = re.findall(r"`(tests/[^`]+)`", held_by)
        assert tests or held_by.startswith("open"), threat
        assert [name for name in tests if not is_a_test(name)] == [], threat


def test_each_decision_is_short_and_says_what_would_change_it() -> None:
    records = sorted((ROOT / "docs/decisions").glob("*.md"))
    assert [int(path.name[:4]) for path in records] == list(range(1, len(records) + 1))
    for path in records:
        text = path.read_text(encoding="utf-8")
        heads = re.findall(r"^## (.+)$", text, re.MULTILINE)
        assert heads == ["Context", "Decision", "Consequences", "What would change our mind"], path
        assert len(text.splitlines()) <= DECISION_LINES, path


def test_the_page_on_json_lists_exactly_the_verbs_that_take_the_option() -> None:
    text = (ROOT / "docs/json.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (`.+?) \|", text, re.MULTILINE)
    listed = {verb for cell in table for verb in re.findall(r"`([a-z -]+)`", cell)}
    assert listed == {name for name, verb in VERBS.items() if "[--json]" in verb.usage}
    without = {name for name, verb in VERBS.items() if "[--json]" not in verb.usage}
    assert [name for name in without if f"`{name}`" not in text] == []


def test_the_readme_names_every_exit_code_and_the_variables_of_the_state() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    codes = re.search(r"Exit codes are part of the interface:([^.]+)", text)
    assert codes is not None
    named = {int(code) for code in re.findall(r"\b\d+\b", codes[1])}
    assert named == {*get_args(ExitCode)}
    for variable in ("TIDINGS_HOME", "XDG_STATE_HOME"):
        assert f"${variable}" in text


def test_the_columns_of_ls_are_words_of_the_glossary() -> None:
    words = {word for word, _ in rows_of("glossary.md")}
    columns = {column.casefold() for column in COLUMNS}
    assert columns - words == {"state", "hears", "reached"}, "verbs and a plain word"
