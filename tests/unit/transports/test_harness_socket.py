"""The harness socket against a listener of this process: what the shared suite cannot script."""

import os
import socket
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from support.inbox import ListeningInbox
from tidings.adapters.transports.harness_socket import WRITE_SECONDS
from tidings.adapters.transports.single_write import judge_write
from tidings.ports.tokens import WriteResult
from tidings.ports.transport import WriteFact

BAD_TOKENS = ("", "a\nb", "a\rb", "a\0b", "t" * 4097, "\udcff")
REFUSED = WriteFact(result=WriteResult.ZERO, reason="provider-prewrite-refused")


@pytest.fixture
def inbox() -> Iterator[ListeningInbox]:
    made = ListeningInbox(limit_bytes=1 << 26)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("sent", "failed_after", "result", "reason"),
    [
        (0, False, WriteResult.ZERO, "provider-write-zero"),
        (0, True, WriteResult.ZERO, "provider-write-zero"),
        (1, False, WriteResult.PARTIAL, "provider-write-partial"),
        (99, True, WriteResult.PARTIAL, "provider-write-partial"),
        (100, False, WriteResult.FULL, ""),
        (100, True, WriteResult.UNKNOWN, "provider-handoff-outcome-unknown"),
        (101, False, WriteResult.UNKNOWN, "provider-handoff-outcome-unknown"),
        (-1, False, WriteResult.UNKNOWN, "provider-handoff-outcome-unknown"),
    ],
)
def test_what_one_write_call_is_known_to_have_done(
    sent: int, failed_after: bool, result: WriteResult, reason: str
) -> None:
    """M 5.4, the table."""
    fact = judge_write(sent, 100, failed_after=failed_after)
    assert fact == WriteFact(result=result, reason=reason)


@pytest.mark.case("R215")
def test_a_harness_that_does_not_read_takes_a_part_and_the_rest_is_never_sent(
    inbox: ListeningInbox,
) -> None:
    content = "x" * (1 << 24)
    fact = inbox.transport.write(inbox.endpoint, content, lambda: True)
    assert fact == WriteFact(result=WriteResult.PARTIAL, reason="provider-write-partial")
    connection = inbox.accept()
    arrived = b"".join(iter(lambda: connection.recv(1 << 20), b""))
    assert 0 < len(arrived) < len(content)


@pytest.mark.case("R220")
@pytest.mark.parametrize("frame_bytes", [8191, 8192, 8193])
def test_a_frame_of_8192_bytes_is_sent_and_one_byte_more_is_not(frame_bytes: int) -> None:
    inbox = ListeningInbox()
    inbox.serve()
    content = "x" * (frame_bytes - inbox.transport.size("x") + 1)
    fact = inbox.transport.write(inbox.endpoint, content, lambda: True)
    arrived = inbox.contents()
    inbox.close()
    if frame_bytes > 8192:
        reason = "provider-frame-too-large: frameBytes=8193 limitBytes=8192"
        assert fact == WriteFact(result=WriteResult.ZERO, reason=reason)
        assert b"".join(inbox.raw) == b""
    else:
        assert fact.result is WriteResult.FULL
        assert arrived == [content]
        assert len(b"".join(inbox.raw)) == frame_bytes


@pytest.mark.case("M167")
@pytest.mark.parametrize(
    ("token", "content", "reason"),
    [
        *[(token, "", "provider-frame-invalid-auth") for token in BAD_TOKENS],
        *[("t", content, "provider-frame-invalid-content") for content in ("", "a\0b", "\udcff")],
    ],
)
def test_a_bad_token_or_content_is_refused_by_its_reason_unfenced_and_without_a_dial(
    inbox: ListeningInbox, token: str, content: str, reason: str
) -> None:
    asked: list[str] = []

    def fence() -> bool:
        asked.append("fence")
        return True

    endpoint = replace(inbox.endpoint, token=token)
    fact = inbox.transport.write(endpoint, content, fence)
    assert fact == WriteFact(result=WriteResult.ZERO, reason=reason)
    assert asked == []
    assert not inbox.has_visitor()


@pytest.mark.case("R214")
def test_a_harness_that_hangs_up_before_the_write_is_a_known_zero(inbox: ListeningInbox) -> None:
    fences = iter([None, None, "hang up"])

    def fence() -> bool:
        if next(fences):
            inbox.accept().close()
        return True

    fact = inbox.transport.write(inbox.endpoint, "x", fence)
    assert fact == WriteFact(result=WriteResult.ZERO, reason="provider-write-zero")


def test_the_wire_holds_an_auth_line_and_one_user_line_for_the_conversation(
    inbox: ListeningInbox,
) -> None:
    """M 5.4 and H 3: two lines, and the id by which the client drops a foreign frame."""
    inbox.transport.write(inbox.endpoint, "hi", lambda: True)
    connection = inbox.accept()
    auth, user = connection.recv(4096).splitlines()
    assert auth == b'{"type":"auth","token":"' + b"t" * 48 + b'"}'
    assert user == (
        b'{"type":"user","message":{"role":"user","content":"hi"},'
        b'"session_id":"0b098b28-d313-84ed-f9b7-a9a83396a52e"}'
    )
    assert connection.recv(4096) == b""


def test_a_node_that_others_may_open_is_a_known_zero(inbox: ListeningInbox) -> None:
    os.chmod(inbox.path, 0o660)
    assert inbox.transport.write(inbox.endpoint_now(), "x", lambda: True) == REFUSED


def test_a_node_that_changes_after_the_dial_is_a_known_zero(inbox: ListeningInbox) -> None:
    fences = iter([None, "replace"])

    def fence() -> bool:
        if next(fences):
            os.utime(inbox.path, ns=(1, 1))
        return True

    assert inbox.transport.write(inbox.endpoint, "x", fence) == REFUSED


@pytest.mark.parametrize(
    "path", ["inbox.sock", "{folder}/../{name}/inbox.sock", "{folder}//inbox.sock"]
)
def test_a_path_that_is_not_absolute_and_clean_is_a_known_zero(
    inbox: ListeningInbox, path: str
) -> None:
    crooked = path.format(folder=inbox.folder, name=os.path.basename(inbox.folder))
    endpoint = replace(inbox.endpoint, node=replace(inbox.endpoint.node, path=crooked))
    assert inbox.transport.write(endpoint, "x", lambda: True) == REFUSED


def test_a_harness_that_never_accepts_costs_two_seconds_and_no_byte(inbox: ListeningInbox) -> None:
    with _full_backlog(inbox.path):
        began = time.monotonic()
        fact = inbox.transport.write(inbox.endpoint, "x", lambda: True)
        took_seconds = time.monotonic() - began
    assert fact == REFUSED
    assert took_seconds < WRITE_SECONDS + 0.5


def test_a_shown_endpoint_keeps_its_token_to_itself(inbox: ListeningInbox) -> None:
    assert "ttt" not in repr(inbox.endpoint)


class _full_backlog:
    """Connections that nobody accepts, until one more is told to wait."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._held: list[socket.socket] = []

    def __enter__(self) -> None:
        while True:
            waiting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._held.append(waiting)
            waiting.setblocking(False)
            try:
                waiting.connect(self._path)
            except BlockingIOError:
                return

    def __exit__(self, *_: object) -> None:
        for waiting in self._held:
            waiting.close()
