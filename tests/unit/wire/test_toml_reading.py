"""Whatever bytes a repository puts into its TOML file: a document, or ``DocumentUnreadable`` soon."""

import time
import tomllib
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tidings.adapters.wire.toml_reading import LONGEST_TOML_BYTES, MOST_DOTS, decode_toml
from tidings.ports.codec import DocumentUnreadable

WRONG = {
    "digits": b"a=" + b"9" * 5000,
    "hexadecimal": b"a=0x" + b"f" * 5000,
    "more than 64 bits": b"a=9223372036854775808",
    "arrays": b"a=" + b"[" * 4000 + b"]" * 4000,
    "tables": b"a=" + b"{a=" * 2500,
    "no utf-8": b"a='\xff'",
    "a date that is none": b"a=2026-13-45",
    "an offset that is none": b"a=2026-01-01T00:00:00+99:99",
    "too long": b"#" * (LONGEST_TOML_BYTES + 1),
    "a dotted key": b".".join([b"a"] * (MOST_DOTS + 2)) + b"=1",
    "a dotted header": b"[" + b".".join([b"a"] * (MOST_DOTS + 2)) + b"]",
    "dots behind a hash that is a key": b'"#".' + b".".join([b"a"] * 2000) + b"=1",
}

KEYS = st.sampled_from(["a", "push", '"#"', "'.'", "a.b", "é"])
VALUES = st.sampled_from(
    [
        "1",
        "9" * 4400,
        "inf",
        "nan",
        "[",
        "[[1]]",
        "{a=1}",
        '"\\ud800"',
        "'''",
        "1979-05-27",
        "07:60:00",
    ]
)


@pytest.mark.parametrize("data", WRONG.values(), ids=WRONG)
def test_whatever_is_wrong_is_unreadable_and_nothing_else(data: bytes) -> None:
    with pytest.raises(DocumentUnreadable):
        decode_toml(data)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(KEYS, VALUES), max_size=6) | st.binary(max_size=200))
def test_no_bytes_end_in_another_error(found: "list[tuple[str, str]] | bytes") -> None:
    data = found if isinstance(found, bytes) else "\n".join(map("=".join, found)).encode()
    with suppress(DocumentUnreadable):
        assert isinstance(decode_toml(data), dict)


def test_a_fault_inside_the_parser_is_unreadable_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_text: str) -> None:
        raise MemoryError

    monkeypatch.setattr(tomllib, "loads", broken)
    with pytest.raises(DocumentUnreadable):
        decode_toml(b"a=1")


def test_the_limits_themselves_are_read() -> None:
    line = ".".join(["a"] * (MOST_DOTS + 1)) + "=9223372036854775807\n"
    data = line.encode().ljust(LONGEST_TOML_BYTES, b"\n")
    assert list(decode_toml(data)) == ["a"]


def test_dots_in_a_line_of_comment_are_no_key() -> None:
    assert decode_toml(b"  # " + b"." * 200 + b"\na = 1\r\n") == {"a": 1}


def test_the_dearest_file_that_is_read_costs_little() -> None:
    """Bound loosely: it took 7 ms where 40 KB of one dotted key took 13 s."""
    deep = ".".join(["a"] * MOST_DOTS)
    data = "".join(f"k{number}.{deep}=1\n" for number in range(115)).encode()
    assert len(data) <= LONGEST_TOML_BYTES
    begun = time.process_time()
    decode_toml(data)
    assert time.process_time() - begun < 1
