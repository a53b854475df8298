"""Reading the two data files of cases: strict, since a slip there would hide an open case."""

import re
import tomllib
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

DECISION = re.compile(r"(D\d{1,2}(, D\d{1,2})*|decision \d{4}|page 1|not-applicable)")
TITLE_LIMIT = 90

Titles: TypeAlias = "Mapping[str, Mapping[str, str]]"


class CaseFileError(Exception):
    """A data file says something that cannot be right; the text names file and place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Which decision answers or changes a case, and the one line that says how."""

    decision: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Cases that need no test, and cases that must be pinned in another form."""

    answered: Mapping[str, Answer]
    changed: Mapping[str, Answer]


def read_titles(path: Path) -> Titles:
    """Family to id to title, in the order of the file. Raises ``CaseFileError``."""
    titles = cast("dict[str, dict[str, str]]", _load(path))
    for family, cases in titles.items():
        for case, title in cases.items():
            if not re.fullmatch(rf"{family}[1-9]\d*", case):
                raise CaseFileError(f"{path.name}: {case} is no id of the family {family}")
            if not 0 < len(title) <= TITLE_LIMIT or "\n" in title:
                raise CaseFileError(
                    f"{path.name}: {case} needs a title of 1 to {TITLE_LIMIT} characters"
                )
    return titles


def read_answers(path: Path, known: AbstractSet[str]) -> Answers:
    """The two lists of answers. Raises ``CaseFileError`` for unknown or repeated cases."""
    document = _load(path)
    unknown = set(document) - {"answered", "changed"}
    if unknown:
        raise CaseFileError(f"{path.name}: unknown table {min(unknown)}")
    answers = Answers(
        answered=_entries(path, document, "answered", "reason"),
        changed=_entries(path, document, "changed", "now"),
    )
    for case in [*answers.answered, *answers.changed]:
        if case not in known:
            raise CaseFileError(f"{path.name}: there is no case {case}")
    for case in answers.answered.keys() & answers.changed.keys():
        raise CaseFileError(f"{path.name}: {case} is answered and changed")
    return answers


def _entries(
    path: Path, document: Mapping[str, object], table: str, text_key: str
) -> dict[str, Answer]:
    found: dict[str, Answer] = {}
    for entry in cast("list[dict[str, object]]", document.get(table, [])):
        cases, answer = _entry(path, entry, table, text_key)
        for case in cases:
            if case in found:
                raise CaseFileError(f"{path.name}: {case} stands twice under {table}")
            found[case] = answer
    return found


def _entry(
    path: Path, entry: Mapping[str, object], table: str, text_key: str
) -> tuple[list[str], Answer]:
    if set(entry) != {"cases", "decision", text_key}:
        raise CaseFileError(f"{path.name}: under {table}, give cases, decision and {text_key}")
    cases = cast("list[str]", entry["cases"])
    decision, text = str(entry["decision"]), str(entry[text_key])
    if not DECISION.fullmatch(decision):
        raise CaseFileError(f"{path.name}: {cases} names no decision: {decision!r}")
    number = decision.removeprefix("decision ")
    if number != decision and not list((path.parents[1] / "docs/decisions").glob(f"{number}-*.md")):
        raise CaseFileError(f"{path.name}: there is no record of decision {number}")
    if not text or "\n" in text:
        raise CaseFileError(f"{path.name}: {cases} needs {text_key} in one line")
    return cases, Answer(decision=decision, text=text)


def _load(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CaseFileError(f"{path.name}: {error}") from error
