"""The words of a call: durations, bodies, verbs."""

import importlib
import io
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.domain.consent.scope import ConsentScope
from tidings.domain.messages.limits import LONGEST_PAYLOAD_BYTES
from tidings.entrypoints.cli.body import read_body
from tidings.entrypoints.cli.parsing import VerbParser, parse_duration, split_body
from tidings.entrypoints.cli.verbs import VERBS, needed_usage
from tidings.entrypoints.cli.words import (
    age_words,
    duration_words,
    moment_words,
    scope_words,
    tenths,
)
from tidings.ports.errors import UsageError

SECOND_NS = 1_000_000_000


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1s", 1), ("90s", 90), ("30m", 1800), ("8h", 28_800), ("1d12h", 129_600), ("2d3s", 172_803)],
)
def test_a_duration_is_whole_units_from_large_to_small(text: str, seconds: int) -> None:
    assert parse_duration(text) == seconds
    assert parse_duration(duration_words(seconds)) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0s",
        "0h0m",
        "5",
        "h",
        "-1h",
        "+1h",
        " 1h",
        "1h ",
        "1.5h",
        "1_0s",
        "1m1h",
        "1H",
        "٣s",
        "10000d1s",
        "9" * 400 + "d",
    ],
)
def test_anything_else_is_no_duration(text: str) -> None:
    with pytest.raises(UsageError):
        parse_duration(text)


@given(st.lists(st.text()), st.lists(st.text()))
def test_the_first_dashes_divide_and_later_ones_are_text(head: list[str], body: list[str]) -> None:
    words = [word for word in head if word != "--"]
    assert split_body([*words, "--", *body]) == (words, body)
    assert split_body(words) == (words, None)


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_words_are_joined_as_they_were_typed() -> None:
    assert read_body(["the", "API", "--changed", ""], None) == "the API --changed "


def test_a_file_is_read_without_the_line_breaks_at_its_end(tmp_path: Path) -> None:
    file = tmp_path / "note"
    file.write_bytes("first\n\nlast é\n\n".encode())
    assert read_body(None, str(file)) == "first\n\nlast é"


@pytest.mark.parametrize("file", [None, "-"])
def test_standard_input_is_the_body_where_no_words_are(
    monkeypatch: pytest.MonkeyPatch, file: str | None
) -> None:
    stdin(monkeypatch, b"from a pipe\n")
    assert read_body(None, file) == "from a pipe"


def test_two_bodies_are_one_too_many() -> None:
    with pytest.raises(UsageError, match="not both"):
        read_body(["text"], "file")


@pytest.mark.parametrize("name", [".", "missing", "missing/deep"])
def test_what_is_no_readable_file_is_a_usage_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_body(None, name)


def test_the_longest_text_is_taken_whole_and_a_longer_one_is_never_shortened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    longest = b"x" * LONGEST_PAYLOAD_BYTES
    stdin(monkeypatch, longest + b"\n\n")
    assert read_body(None, None) == longest.decode()
    stdin(monkeypatch, longest + b"\n" + b"more" * 1024)
    with pytest.raises(UsageError, match="longer than 65536 bytes"):
        read_body(None, None)
    stdin(monkeypatch, longest + b"\nmore\n")
    assert len(read_body(None, None)) == LONGEST_PAYLOAD_BYTES + 5  # the post office refuses it


@pytest.mark.parametrize("extra", range(4))
def test_a_character_that_is_cut_at_the_limit_is_too_long_and_not_bad(
    monkeypatch: pytest.MonkeyPatch, extra: int
) -> None:
    stdin(monkeypatch, b"x" * extra + "é".encode() * LONGEST_PAYLOAD_BYTES)
    with pytest.raises(UsageError, match="longer than"):
        read_body(None, None)


def test_bytes_that_are_no_utf8_are_refused_wherever_they_come_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stdin(monkeypatch, b"caf\xe9")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_body(None, None)
    with pytest.raises(UsageError, match="not UTF-8"):
        read_body(["caf\udce9"], None)


def test_a_closed_standard_input_is_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UsageError, match="no text"):
        read_body(None, None)


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_in_the_table_is_there_and_is_described(name: str) -> None:
    verb = VERBS[name]
    assert callable(importlib.import_module(verb.module).run)
    assert verb.usage == name or verb.usage.startswith(f"{name} ")
    assert verb.summary


def test_every_module_with_a_verb_is_in_the_table() -> None:
    folder = Path(importlib.import_module("tidings.entrypoints.cli").__file__ or "").parent
    with_run = {
        f"tidings.entrypoints.cli.{path.stem}"
        for path in folder.glob("*.py")
        if "\ndef run(words" in path.read_text(encoding="utf-8")
    }
    assert with_run == {verb.module for verb in VERBS.values()}


@pytest.mark.parametrize("name", [name for name in VERBS if name != "should-arm"])
def test_a_word_that_a_verb_does_not_know_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        importlib.import_module(VERBS[name].module).run(["--no-such-option"])
    said = caught.value.next_step
    assert said.startswith(f"usage: tidings {needed_usage(VERBS[name].usage)}".partition(" -- ")[0])
    assert len(said) < 160


def test_no_option_can_be_shortened() -> None:
    parser = VerbParser("ls")
    parser.add_argument("--json", action="store_true")
    with pytest.raises(UsageError):
        parser.parse_args(["--js"])


def test_ages_and_tenths_are_one_unit_and_never_negative() -> None:
    ages = [age_words(seconds * SECOND_NS) for seconds in (-5, 0, 59, 60, 3600, 86_400 * 3)]
    assert ages == ["0s", "0s", "59s", "1m", "1h", "3d"]
    assert [tenths(nanoseconds) for nanoseconds in (-1, 0, 440_000_000)] == [
        "0.0 s",
        "0.0 s",
        "0.4 s",
    ]


NOON_NS = 1_796_040_000 * SECOND_NS
"""2026-11-30 12:00:00 UTC, in a test whose time zone is UTC."""


@pytest.fixture
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (300.123456789, "12:05:00, in 5 m"),
        (0, "12:00:00, in 0 s"),
        (-90, "11:58:30, 1 m ago"),
        (43_200, "2026-12-01 00:00:00, in 12 h"),
        (-43_201, "2026-11-29 23:59:59, 12 h ago"),
        (3_000 * 86_400, "2035-02-16 12:00:00, in 3000 d"),
        (10**12, "far ahead"),
    ],
)
def test_a_moment_is_local_time_without_fractions_and_how_far_it_is(
    seconds: float, words: str, utc: None
) -> None:
    at_ns = NOON_NS + int(seconds * SECOND_NS)
    assert moment_words(at_ns, now_ns=NOON_NS) == words


def test_a_moment_is_told_in_the_time_zone_of_the_machine(
    utc: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "XXX-5")
    time.tzset()
    assert moment_words(NOON_NS, now_ns=NOON_NS) == "17:00:00, in 0 s"


def test_a_scope_that_ends_is_told_without_nanoseconds(utc: None) -> None:
    scope = ConsentScope(senders=("api",), until_ns=NOON_NS + 123_456_789)
    assert scope_words(scope, now_ns=NOON_NS) == "api; until 12:00:00, in 0 s"


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        (ConsentScope(senders=()), "nobody"),
        (ConsentScope(senders=(), kinds=("agent",)), "nobody"),
        (ConsentScope(kinds=()), "nothing"),
        (ConsentScope(), "everyone"),
        (ConsentScope(kinds=("notice",), wake=True), "everyone; only notice; a notice may wake it"),
    ],
)
def test_an_empty_list_is_told_as_what_it_means(scope: ConsentScope, words: str) -> None:
    assert scope_words(scope, now_ns=NOON_NS) == words
