"""Frames as bytes: budgets to the byte, faults by name, answers unwrapped."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.native_answer import control_frame, native_frame
from tidings.adapters.wire.harness_frames import (
    Frame,
    FrameFault,
    build_frame,
    frame_size,
    read_answer,
    unwrap,
)
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.messages.frame import frame_of
from tidings.domain.messages.frame_text import frame_content
from tidings.domain.messages.post_office import LONGEST_ANSWER_ADDRESS
from tidings.entrypoints.testing.message_rows import envelope
from tidings.ports.processes import ProcessBirth
from tidings.ports.sockets import SocketNode
from tidings.ports.transport import Endpoint

CODEC = JsonCodec()
ENDPOINT = Endpoint(
    node=SocketNode(path="/s", device=1, inode=1, mtime_ns=1, mode=0o140600, uid=1, is_socket=True),
    owner=ProcessBirth(pid=7, uid=1, start="linux:b:1"),
    session_id="s" * 36,
    token="t" * 48,
)


def _of_size(frame_bytes: int) -> str:
    return "x" * (frame_bytes - frame_size(CODEC, "x") + 1)


@pytest.mark.case("M166", "M170")
def test_a_frame_of_8192_bytes_is_built_and_one_byte_more_is_refused_with_both_numbers() -> None:
    for frame_bytes in (8191, 8192):
        frame = build_frame(CODEC, ENDPOINT, _of_size(frame_bytes), limit_bytes=8192)
        assert isinstance(frame, Frame)
        assert len(frame.data) == frame_bytes
    fault = build_frame(CODEC, ENDPOINT, _of_size(8193), limit_bytes=8192)
    assert isinstance(fault, FrameFault)
    assert fault.reason == "provider-frame-too-large: frameBytes=8193 limitBytes=8192"
    assert "ttt" not in repr(fault)
    assert "xxx" not in repr(fault)


@pytest.mark.case("M169")
def test_4096_ascii_and_4095_korean_bytes_are_one_frame_within_budget() -> None:
    for payload in ("a" * 4096, "\uac00" * 1365):
        shown = frame_of(
            envelope("m" + "0" * 28, payload=payload), answer_address=LONGEST_ANSWER_ADDRESS
        )
        content = frame_content(shown)
        assert f"\n| {payload}\n" in content
        frame = build_frame(CODEC, ENDPOINT, content, limit_bytes=8192)
        assert isinstance(frame, Frame)
        assert len(frame.data) <= 8192
        user = json.loads(frame.data.splitlines()[-1])
        assert user["message"]["content"] == content


@given(st.text(min_size=1, max_size=300).filter(lambda text: "\0" not in text))
@settings(max_examples=50)
def test_the_size_said_before_is_the_size_on_the_wire(content: str) -> None:
    try:
        content.encode()
    except UnicodeEncodeError:
        return
    frame = build_frame(CODEC, ENDPOINT, content, limit_bytes=1 << 20)
    assert isinstance(frame, Frame)
    assert len(frame.data) == frame_size(CODEC, content)
    assert frame.data.count(b"\n") == 2


@pytest.mark.parametrize("token", ["t", "t" * 4096])
def test_the_shortest_token_and_the_longest_one_are_both_fine(token: str) -> None:
    frame = build_frame(CODEC, replace(ENDPOINT, token=token), "x", limit_bytes=8192)
    assert isinstance(frame, Frame)


def test_a_native_answer_is_its_text_without_the_wrapper() -> None:
    assert read_answer(CODEC, native_frame("a\n b").rstrip(b"\n")) == "a\n b"


@pytest.mark.parametrize(
    "line",
    [
        control_frame(),
        b"{",
        b"[]",
        b'{"type":"auth","token":"x"}',
        b'{"type":"user","message":"x"}',
        b'{"type":"user","message":{"content":["x"]}}',
        b'{"type":"user","type":"user","message":{"content":"x"}}',
        b"\xff",
    ],
)
def test_anything_else_is_no_answer(line: bytes) -> None:
    assert read_answer(CODEC, line) is None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("  plain \n", "plain"),
        ("<cross-session-message>\nx\n</cross-session-message>", "x"),
        ('<cross-session-message from-name="a > b">x</cross-session-message>\n', "x"),
        ("<cross-session-message>x", "<cross-session-message>x"),
        ("y <cross-session-message>x</cross-session-message>", None),
    ],
)
def test_only_one_whole_block_is_unwrapped(content: str, text: str | None) -> None:
    assert unwrap(content) == (content if text is None else text)
