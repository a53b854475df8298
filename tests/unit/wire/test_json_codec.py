"""The codec reads by the C core alone where it can; what it says never depends on that."""

import sys

import pytest

from tidings.adapters.wire import json_codec
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.codec_contract import UNREADABLE
from tidings.ports.codec import DocumentUnreadable

READABLE = (
    b'{"a":1}',
    b' \t\r\n{"a": [1.5, -0, 1e3, true, null, "\\u00e4"]}\n',
    b'{"a":{"b":{"a":{}}}}',
)


def told(data: bytes) -> object:
    try:
        return JsonCodec().decode(data)
    except DocumentUnreadable as error:
        return str(error)


@pytest.mark.parametrize("data", [*READABLE, *UNREADABLE])
def test_the_core_and_json_itself_tell_the_same(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_core = told(data)
    json_codec.strict_scanner.cache_clear()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "_json", None)
        assert told(data) == by_core


@pytest.mark.parametrize("data", READABLE)
def test_what_the_core_can_read_does_not_go_to_json(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = told(data)
    monkeypatch.delattr("json.loads")
    assert told(data) == expected
