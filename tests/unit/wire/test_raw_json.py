"""The hook's light JSON agrees with ``json`` in all it accepts and writes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.hook_events import recorded
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.adapters.wire.raw_json import dumps, loads
from tidings.ports.codec import Document, Value

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FLAT = st.dictionaries(
    st.text(max_size=8),
    st.text() | st.integers() | st.booleans() | st.lists(st.text(), max_size=3),
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(PLAIN)
def test_it_reads_what_json_writes(value: object) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        assert loads(f"\n {text} \r\n") == value


def test_it_reads_every_recorded_payload_as_json_does() -> None:
    for row in (*recorded("claude"), *recorded("codex")):
        assert loads(json.dumps(row)) == row


@pytest.mark.parametrize(
    "text", ["", " ", "{", '{"a"', '{"a":1,}', "[1,]", "{} {}", "nul", '"\x01"', "1" * 5_000, "'a'"]
)
def test_what_does_not_read_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        loads(text)


def test_deep_nesting_is_a_recursion_error() -> None:
    with pytest.raises(RecursionError):
        loads("[" * 200_000)


@settings(max_examples=60, deadline=None)
@given(FLAT)
def test_what_it_writes_is_one_line_of_ascii_that_json_reads(record: Document) -> None:
    line = dumps(record)
    assert line.isascii()
    assert "\n" not in line
    assert json.loads(line) == record


def test_what_it_writes_the_strict_codec_reads() -> None:
    record: Document = {"v": 1, "text": 'ä "quoted" \n \u2028 🦊', "flag": True, "list": ["a", "b"]}
    assert JsonCodec().decode(dumps(record).encode()) == record


@pytest.mark.parametrize("value", [None, 1.5, {"a": 1}])
def test_only_flat_records_are_written(value: Value) -> None:
    with pytest.raises(TypeError):
        dumps({"a": value})
