"""What is not built is absent: no text of ours may send a person to a verb that does not exist."""

import re

from support.project import ROOT
from tidings.entrypoints.cli.verbs import GROUPS, VERBS

NAMED = re.compile(r"`tidings ((?:(?:session|message) )?[a-z][a-z-]*)")
PAGES = ("README.md", "docs/glossary.md", "docs/security.md", "docs/reasons.md", "docs/json.md")
ANNOUNCED = {"docs/glossary.md": {"run"}}
"""Verbs that a page names as not built yet, in so many words."""

KNOWN = {*VERBS, *GROUPS, "help"}


def test_every_verb_that_a_text_of_the_product_names_exists() -> None:
    layers = ("domain", "ports", "adapters", "entrypoints")
    sources = [path for layer in layers for path in (ROOT / layer).rglob("*.py")]
    named = {(path.name, verb) for path in sources for verb in NAMED.findall(path.read_text())}
    assert len(named) > 10
    assert {pair for pair in named if pair[1] not in KNOWN} == set()


def test_every_verb_that_a_page_names_exists_or_is_announced() -> None:
    for page in PAGES:
        found = set(NAMED.findall((ROOT / page).read_text(encoding="utf-8")))
        assert found - KNOWN - ANNOUNCED.get(page, set()) == set(), page
