"""What a call with a wrong word is told: what is wrong, and how to write it."""

import json
import re
from pathlib import Path

import pytest

from tidings.entrypoints.cli.main import main
from tidings.entrypoints.cli.verbs import VERBS

OVER_A_SESSION = ("arm", "disarm", "reset", "status")


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIDINGS_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def usage_error(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line on standard error of a call that is malformed."""
    assert main(words) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    return said.err


@pytest.mark.parametrize("words", [("send", "api", "hello"), ("reply", "mabcde", "hello", "you")])
def test_a_text_without_dashes_is_told_where_it_belongs(
    words: tuple[str, ...], state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = usage_error(capsys, *words)
    assert "the text stands after --" in said
    assert "-- TEXT" in said


def test_an_option_that_is_none_is_not_taken_for_text(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "'--wiat' has no meaning here" in usage_error(capsys, "send", "api", "--wiat", "--", "x")


def test_a_timeout_without_a_wait_is_a_usage_error(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = usage_error(capsys, "send", "api", "--timeout", "5s", "--", "hello")
    assert "--wait" in said


@pytest.mark.parametrize("name", ["", " ", "\t"])
@pytest.mark.parametrize(
    "call", [("send", "{}", "--", "hi"), *((verb, "{}") for verb in OVER_A_SESSION)]
)
def test_a_blank_name_is_a_usage_error(
    name: str, call: tuple[str, ...], state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = usage_error(capsys, *(word.replace("{}", name) for word in call))
    assert "blank" in said
    assert not state.exists()


LONG = "é\x1b'" + "x" * 5000


@pytest.mark.parametrize(
    "call",
    [
        ("{}",),
        ("help", "{}"),
        ("send", "{}", "--", "hi"),
        ("send", "api", "{}"),
        ("send", "api", "--ttl", "{}", "--", "hi"),
        ("send", "api", "--ttl={}", "--", "hi"),
        ("send", "api", "--wait", "{}", "--", "hi"),
        ("send", "api", "--{}", "--", "hi"),
        ("send", "api", "--file", "/{}"),
        ("send", "api", "--json={}", "--", "hi"),
        ("show", "{}"),
        ("show", "{}", "--json"),
        ("arm", "{}", "--kind", "{}"),
        ("ls", "{}"),
        ("ls", "{}\udcff"),
    ],
)
def test_no_error_repeats_a_long_word_in_full(
    call: tuple[str, ...], state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word.replace("{}", LONG) for word in call]) in (2, 3)
    said = capsys.readouterr().err
    assert len(json.loads(said)["error"] if "--json" in call else said) < 600
    assert said.count("\n") == 1


EITHER = [
    (verb, first, second)
    for verb, entry in VERBS.items()
    for first, second in re.findall(r"\[(--[\w-]+) \| (--[\w-]+)\]", entry.usage)
]


@pytest.mark.parametrize(("verb", "first", "second"), EITHER)
def test_what_the_usage_line_offers_as_either_is_never_taken_together(
    verb: str, first: str, second: str, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for flags in ((first, second), (second, first)):
        said = usage_error(capsys, *verb.split(" "), *flags)
        assert "not allowed with" in said
    assert not state.exists()


def test_there_are_such_offers() -> None:
    assert ("trust", "--list", "--remove") in EITHER


def test_a_list_of_everything_takes_no_folder(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "leave the folder out" in usage_error(capsys, "trust", "/somewhere", "--list")
