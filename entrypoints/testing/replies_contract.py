"""What every set of reply sockets keeps (D29, H 10)."""

import time
from collections.abc import Sequence

from tidings.ports.processes import ProcessBirth
from tidings.ports.replies import NativeAnswer, ReplyListener

_PATIENCE_SECONDS = 5.0


class ReplySocketsContract:
    """Bind it by overriding ``make_sockets`` and ``deliver``."""

    def make_sockets(self) -> ReplyListener:
        """Sockets with no message open."""
        raise NotImplementedError

    def deliver(self, address: str, text: str) -> bool:
        """Plays a harness that answers ``text`` at ``address``; False where nothing listens."""
        raise NotImplementedError

    def writer(self) -> ProcessBirth:
        """The process that ``deliver`` writes from."""
        raise NotImplementedError

    def test_every_message_has_one_lasting_address_of_its_own(self) -> None:
        sockets = self.make_sockets()
        first, other = sockets.address("m1"), sockets.address("m2")
        assert first.startswith("uds:/")
        assert first == sockets.address("m1")
        assert first != other
        sockets.close_all()

    def test_an_answer_comes_once_with_the_kernels_word_on_its_writer(self) -> None:
        sockets = self.make_sockets()
        assert self.deliver(sockets.address("m1"), "tests are green")
        peer = self.writer()
        wanted = NativeAnswer(
            ref="m1",
            peer_pid=peer.pid,
            peer_uid=peer.uid,
            peer_start=peer.start,
            text="tests are green",
        )
        assert _heard(sockets, 1) == [wanted]
        assert list(sockets.accept_ready()) == []
        sockets.close_all()

    def test_answers_are_told_apart_by_their_message(self) -> None:
        sockets = self.make_sockets()
        for ref in ("m1", "m2", "m3"):
            assert self.deliver(sockets.address(ref), f"to {ref}")
        heard = {answer.ref: answer.text for answer in _heard(sockets, 3)}
        assert heard == {"m1": "to m1", "m2": "to m2", "m3": "to m3"}
        sockets.close_all()

    def test_who_came_first_to_a_message_is_heard_first(self) -> None:
        sockets = self.make_sockets()
        address, texts = sockets.address("m1"), [f"answer {number}" for number in range(7)]
        assert all(self.deliver(address, text) for text in texts)
        assert [answer.text for answer in _heard(sockets, 7)] == texts
        sockets.close_all()

    def test_a_closed_message_hears_nothing_more(self) -> None:
        sockets = self.make_sockets()
        closed, kept = sockets.address("m1"), sockets.address("m2")
        sockets.close("m1")
        sockets.close("m1")
        assert not self.deliver(closed, "too late")
        assert self.deliver(kept, "in time")
        assert [answer.text for answer in _heard(sockets, 1)] == ["in time"]
        sockets.close_all()

    def test_what_was_written_before_a_close_is_heard_after_it(self) -> None:
        sockets = self.make_sockets()
        addresses = {ref: sockets.address(ref) for ref in ("m1", "m2", "m3")}
        for ref, address in addresses.items():
            assert self.deliver(address, f"to {ref}")
        sockets.close("m1")
        sockets.close_all()
        assert not any(self.deliver(address, "too late") for address in addresses.values())
        heard = {answer.ref: answer.text for answer in sockets.accept_ready()}
        assert heard == {ref: f"to {ref}" for ref in addresses}
        assert list(sockets.take_broken()) == []

    def test_closing_all_is_harmless_twice_and_with_none_open(self) -> None:
        sockets = self.make_sockets()
        address = sockets.address("m1")
        sockets.close_all()
        sockets.close_all()
        assert not self.deliver(address, "too late")
        assert list(sockets.accept_ready()) == []

    def test_with_nothing_to_hear_it_answers_at_once(self) -> None:
        sockets = self.make_sockets()
        assert list(sockets.accept_ready()) == []
        sockets.address("m1")
        assert list(sockets.accept_ready()) == []
        sockets.close_all()


def _heard(sockets: ReplyListener, count: int) -> Sequence[NativeAnswer]:
    heard: list[NativeAnswer] = []
    ends_at = time.monotonic() + _PATIENCE_SECONDS
    while len(heard) < count and time.monotonic() < ends_at:
        heard.extend(sockets.accept_ready())
    return heard
