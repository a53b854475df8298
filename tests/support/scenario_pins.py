"""Which Gherkin scenarios pin which cases: a tag ``@case:S15`` right above the scenario."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.pin import Pin
from support.sources import Sources, last_name

FEATURES = Path("features")
CASE_TAG = re.compile(r"@case:(\S+)")
SCENARIO = re.compile(r"(Scenario|Scenario Outline|Example|Scenario Template):")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What matters of one Gherkin scenario: the cases in its own tags, and whether it concludes."""

    title: str
    cases: tuple[str, ...]
    has_outcome: bool


def bound_features(sources: Sources) -> set[Path]:
    """What the tests hand to pytest-bdd: files and folders below ``features``."""
    calls = (
        node
        for module in sources.modules.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and last_name(node.func) in ("scenario", "scenarios")
    )
    texts = (a.value for call in calls for a in call.args if isinstance(a, ast.Constant))
    return {Path(text) for text in texts if isinstance(text, str)}


def scenario_pins(relative: Path, text: str, bound: set[Path]) -> Iterator[Pin]:
    """The claims of one feature file (``relative`` to the project) with the given text."""
    inner = relative.relative_to(FEATURES)
    is_bound = inner in bound or any(parent in bound for parent in inner.parents)
    for scenario in _scenarios(text):
        objection = "" if scenario.has_outcome else "it has no Then step"
        for case in scenario.cases:
            yield Pin(
                case=case,
                node=f"{relative.as_posix()}::{scenario.title}",
                objection=objection if is_bound else "no test runs this feature",
            )


def loose_tags(relative: Path, text: str) -> Iterator[str]:
    """A fault where a case tag stands above a feature, a rule or examples, so that it is not read."""
    read = sum(len(scenario.cases) for scenario in _scenarios(text))
    if read != len(CASE_TAG.findall(text)):
        yield f"{relative.as_posix()}: a case tag stands right above its scenario, nowhere else"


def _scenarios(text: str) -> Iterator[Scenario]:
    lines = [line.strip() for line in text.splitlines()]
    heads = [number for number, line in enumerate(lines) if SCENARIO.match(line)]
    for start, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        first = start
        while first > 0 and lines[first - 1].startswith(("@", "#")):
            first -= 1
        yield Scenario(
            title=lines[start].partition(":")[2].strip(),
            cases=tuple(CASE_TAG.findall(" ".join(lines[first:start]))),
            has_outcome=any(line.startswith("Then ") for line in lines[start:end]),
        )
