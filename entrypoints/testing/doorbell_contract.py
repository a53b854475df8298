"""What every ``Doorbell`` and its listener keep."""

from tidings.ports.doorbell import Doorbell, DoorbellListener
from tidings.ports.tokens import Ring

KEY, OTHER = "41-0123abcd", "42-0123abcd"


class DoorbellContract:
    """Bind it by overriding ``make_doorbell`` and ``listen``."""

    def make_doorbell(self) -> Doorbell:
        """The ringer's end; every call of one test rings on the same machine."""
        raise NotImplementedError

    def listen(self, key: str) -> DoorbellListener:
        """The resident's end of ``key``."""
        raise NotImplementedError

    def test_nobody_listens_at_first(self) -> None:
        assert self.make_doorbell().ring(KEY) is False

    def test_a_ring_is_heard_once(self) -> None:
        listener = self.listen(KEY)
        assert not listener.drain()
        assert self.make_doorbell().ring(KEY) is True
        assert listener.drain() == {Ring.LETTER}
        assert not listener.drain()
        listener.close()

    def test_many_rings_never_block_and_are_one_wake_up(self) -> None:
        listener, bell = self.listen(KEY), self.make_doorbell()
        assert all(bell.ring(KEY) for _ in range(70_000))
        assert Ring.LETTER in listener.drain()
        assert not listener.drain()
        listener.close()

    def test_an_event_is_told_from_a_letter(self) -> None:
        listener, bell = self.listen(KEY), self.make_doorbell()
        bell.ring(KEY, why=Ring.EVENT)
        assert listener.drain() == {Ring.EVENT}
        bell.ring(KEY, why=Ring.EVENT)
        bell.ring(KEY, why=Ring.LETTER)
        assert listener.drain() == {Ring.EVENT, Ring.LETTER}
        listener.close()

    def test_a_letter_behind_a_flood_of_events_is_never_missed(self) -> None:
        listener, bell = self.listen(KEY), self.make_doorbell()
        for _ in range(70_000):
            bell.ring(KEY, why=Ring.EVENT)
        bell.ring(KEY, why=Ring.LETTER)
        assert Ring.LETTER in listener.drain()
        listener.close()

    def test_bells_are_apart_by_key(self) -> None:
        here, there = self.listen(KEY), self.listen(OTHER)
        self.make_doorbell().ring(OTHER)
        assert (here.drain(), there.drain()) == (set(), {Ring.LETTER})
        here.close()
        there.close()

    def test_who_closed_hears_nothing(self) -> None:
        listener = self.listen(KEY)
        self.make_doorbell().ring(KEY)
        listener.close()
        listener.close()
        assert not listener.drain()
        assert listener.fileno() == -1
        assert self.make_doorbell().ring(KEY) is False

    def test_a_second_life_of_the_listener_hears_again(self) -> None:
        self.listen(KEY).close()
        listener = self.listen(KEY)
        assert not listener.drain()
        assert self.make_doorbell().ring(KEY) is True
        assert listener.drain() == {Ring.LETTER}
        listener.close()

    def test_a_key_that_is_none_rings_nowhere(self) -> None:
        assert self.make_doorbell().ring("../up") is False
