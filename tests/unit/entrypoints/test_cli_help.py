"""Help: every verb and every word it takes is told, in the same words everywhere."""

import re

import pytest

from tidings.entrypoints.cli.main import main
from tidings.entrypoints.cli.verbs import VERBS

WORD = re.compile(
    r"^  (?P<flag>-h, --help|--[a-z-]+|[A-Z]+)(?: (?P<metavar>\S+))?(?:  +(?P<text>.*))?$"
)


TWO_MEANINGS = {"--wait", "--all"}
"""``send --wait seen`` waits for a milestone, ``inbox --wait 10m`` for something to come (page 1);
``ls --all`` shows the dead, ``push --all`` reaches all who are armed (D34)."""


def help_of(verb: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        main([*verb.split(), "--help"])
    said = capsys.readouterr()
    assert (ended.value.code, said.err) == (0, "")
    return said.out


def explained(said: str) -> dict[str, tuple[str, str]]:
    """Each word of a help text with its metavar and its line."""
    lines = said.splitlines()
    found: dict[str, tuple[str, str]] = {}
    for at, line in enumerate(lines):
        match = WORD.match(line)
        if match:
            text = match["text"] or lines[at + 1].strip()
            found[match["flag"]] = (match["metavar"] or "", text)
    return found


@pytest.mark.parametrize("verb", VERBS)
def test_help_has_a_line_for_every_word_of_the_usage_and_for_no_other(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = explained(help_of(verb, capsys))
    assert all(text for _metavar, text in found.values()), found
    usage = VERBS[verb].usage.partition(" -- ")[0]
    operands = re.sub(r"--[a-z-]+ [A-Z]+", "", usage)
    named = {*re.findall(r"--[a-z-]+", usage), *re.findall(r"\b[A-Z]+\b", operands)}
    assert set(found) - {"-h, --help"} == named
    for flag, (metavar, _text) in found.items():
        assert not metavar or f"{flag} {metavar}" in usage


def test_an_option_has_one_metavar_and_one_meaning_at_every_verb(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told: dict[str, set[tuple[str, str]]] = {}
    for verb in VERBS:
        for flag, line in explained(help_of(verb, capsys)).items():
            if flag.startswith("--"):
                told.setdefault(flag, set()).add(line)
    assert len(told) > 8
    assert {flag for flag, lines in told.items() if len(lines) > 1} == TWO_MEANINGS


@pytest.mark.parametrize("verb", VERBS)
def test_help_before_the_verb_is_the_same_as_behind_it(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    behind = help_of(verb, capsys)
    for word in ("help", "--help"):
        with pytest.raises(SystemExit):
            main([word, verb])
        assert capsys.readouterr().out == behind


def test_help_for_a_verb_that_is_none_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "sned"]) == 2
    assert "did you mean send?" in capsys.readouterr().err


def test_should_arm_stays_silent_at_any_other_word(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--json"], ["api"], ["api", "--help"], ["--help", "api"]):
        assert main(["should-arm", *words]) == 1
        said = capsys.readouterr()
        assert (said.out, said.err) == ("", "")
