"""What every ``Transport`` to a harness socket keeps (M 5.4)."""

from collections.abc import Sequence
from typing import Protocol

from tidings.ports.errors import StoreLocked
from tidings.ports.processes import ProcessBirth
from tidings.ports.tokens import TransportName, WriteResult
from tidings.ports.transport import Endpoint, Transport, WriteFact
from tidings.ports.values import replace

TOKEN = "t" * 48
CONVERSATION = "0b098b28-d313-84ed-f9b7-a9a83396a52e"
REFUSED = WriteFact(result=WriteResult.ZERO, reason="provider-prewrite-refused")
FULL = WriteFact(result=WriteResult.FULL, reason="")


class Harness(Protocol):
    """One listening harness and the transport that may write to it."""

    @property
    def transport(self) -> Transport: ...

    @property
    def endpoint(self) -> Endpoint:
        """Where it listens, with ``TOKEN`` and ``CONVERSATION``."""
        ...

    def contents(self) -> Sequence[str]:
        """The contents of all whole user frames that arrived."""
        ...

    def vanish(self) -> None:
        """It stops listening and its node goes away."""
        ...

    def rebind(self) -> None:
        """Another node takes its path."""
        ...


class TransportContract:
    """Bind it by overriding ``make_harness``; its limit is the one given."""

    def make_harness(self, *, limit_bytes: int) -> Harness:
        """A harness that listens, reached by the adapter under test."""
        raise NotImplementedError

    def test_it_says_which_way_it_is(self) -> None:
        transport = self._harness().transport
        assert transport.name() is TransportName.HARNESS_SOCKET
        assert transport.limit() == 8192

    def test_a_whole_frame_arrives_once(self) -> None:
        harness = self._harness()
        assert harness.transport.write(harness.endpoint, "re-run your tests", _yes) == FULL
        assert harness.contents() == ["re-run your tests"]

    def test_text_of_any_script_arrives_intact(self) -> None:
        harness = self._harness()
        for content in ("a" * 4096, "\uac00" * 1365, 'q"<>&\u2028\\ \t'):
            assert harness.transport.write(harness.endpoint, content, _yes) == FULL
        assert harness.contents() == ["a" * 4096, "\uac00" * 1365, 'q"<>&\u2028\\ \t']

    def test_the_fence_is_asked_three_times_and_any_no_is_a_known_zero(self) -> None:
        for denied in (1, 2, 3):
            harness = self._harness()
            fence = _DeniesAt(denied)
            assert harness.transport.write(harness.endpoint, "x", fence) == REFUSED
            assert (fence.asked, harness.contents()) == (denied, [])
        fence = _DeniesAt(4)
        harness = self._harness()
        assert harness.transport.write(harness.endpoint, "x", fence) == FULL
        assert fence.asked == 3

    def test_a_fence_that_cannot_be_read_is_a_no(self) -> None:
        def unreadable() -> bool:
            raise StoreLocked("the database stayed locked")

        harness = self._harness()
        assert harness.transport.write(harness.endpoint, "x", unreadable) == REFUSED
        assert harness.contents() == []

    def test_content_that_is_none_is_refused_before_any_fence(self) -> None:
        for content in ("", "a\0b", "a\ud800b"):
            self._refused_unasked(content, TOKEN, "provider-frame-invalid-content")

    def test_a_token_that_is_none_is_refused_before_any_fence_and_before_the_content(self) -> None:
        for token in ("", "a\nb", "a\rb", "a\0b", "t" * 4097, "\ud800"):
            self._refused_unasked("", token, "provider-frame-invalid-auth")

    def test_a_frame_for_no_conversation_is_never_built(self) -> None:
        harness = self._harness()
        endpoint = replace(harness.endpoint, session_id="")
        fact = harness.transport.write(endpoint, "x", _must_not_be_asked)
        assert fact == _zero("provider-frame-build-failed")

    def test_the_limit_counts_the_bytes_on_the_wire(self) -> None:
        harness = self._harness()
        room = 8192 - harness.transport.size("x") + 1
        assert harness.transport.size("x" * room) == 8192
        assert harness.transport.write(harness.endpoint, "x" * (room - 1), _yes) == FULL
        assert harness.transport.write(harness.endpoint, "x" * room, _yes) == FULL
        fact = harness.transport.write(harness.endpoint, "x" * (room + 1), _must_not_be_asked)
        assert fact == _zero("provider-frame-too-large: frameBytes=8193 limitBytes=8192")

    def test_nobody_there_is_a_known_zero(self) -> None:
        harness = self._harness()
        harness.vanish()
        assert harness.transport.write(harness.endpoint, "x", _yes) == REFUSED

    def test_another_node_at_the_path_is_a_known_zero(self) -> None:
        harness = self._harness()
        harness.rebind()
        assert harness.transport.write(harness.endpoint, "x", _yes) == REFUSED
        assert harness.contents() == []

    def test_another_process_behind_the_socket_is_a_known_zero(self) -> None:
        harness = self._harness()
        owner = harness.endpoint.owner
        for stranger in (
            ProcessBirth(pid=owner.pid, uid=owner.uid, start=owner.start + "9"),
            ProcessBirth(pid=owner.pid + 1, uid=owner.uid, start=owner.start),
            ProcessBirth(pid=0, uid=owner.uid, start=owner.start),
        ):
            endpoint = replace(harness.endpoint, owner=stranger)
            assert harness.transport.write(endpoint, "x", _yes) == REFUSED
        assert harness.contents() == []

    def _refused_unasked(self, content: str, token: str, reason: str) -> None:
        harness = self._harness()
        endpoint = replace(harness.endpoint, token=token)
        fact = harness.transport.write(endpoint, content, _must_not_be_asked)
        assert fact == _zero(reason)
        assert harness.contents() == []

    def _harness(self) -> Harness:
        return self.make_harness(limit_bytes=8192)


class _DeniesAt:
    def __init__(self, turn: int) -> None:
        self._turn = turn
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked != self._turn


def _yes() -> bool:
    return True


def _must_not_be_asked() -> bool:
    raise AssertionError("a fence was asked about a frame that cannot be built")


def _zero(reason: str) -> WriteFact:
    return WriteFact(result=WriteResult.ZERO, reason=reason)
