"""What every ``Locks`` keeps."""

import threading

from tidings.ports.errors import LockTimeout
from tidings.ports.locks import HeldLock, Locks
from tidings.ports.tokens import LockKind

KEY = "41-0123abcd"


class LocksContract:
    """Bind it by overriding ``make_locks``."""

    def make_locks(self) -> Locks:
        """The adapter under test; all that one test makes share the same locks."""
        raise NotImplementedError

    def test_a_block_holds_and_lets_go(self) -> None:
        locks = self.make_locks()
        with locks.hold(LockKind.CONSENT, KEY, wait_seconds=0):
            assert locks.is_taken(LockKind.CONSENT, KEY)
        assert not locks.is_taken(LockKind.CONSENT, KEY)

    def test_a_failing_block_lets_go(self) -> None:
        import pytest

        locks = self.make_locks()
        with (
            pytest.raises(KeyError, match="mine"),
            locks.hold(LockKind.CONSENT, KEY, wait_seconds=0),
        ):
            raise KeyError("mine")
        assert not locks.is_taken(LockKind.CONSENT, KEY)

    def test_two_of_one_process_exclude_each_other(self) -> None:
        import pytest

        held = self.make_locks().take(LockKind.DELIVERY, KEY, wait_seconds=0)
        with pytest.raises(LockTimeout) as caught:
            self.make_locks().take(LockKind.DELIVERY, KEY, wait_seconds=0.02)
        assert caught.value.waited_seconds == 0.02
        assert KEY in caught.value.lock
        held.release()

    def test_kinds_and_keys_are_apart(self) -> None:
        locks = self.make_locks()
        with (
            locks.hold(LockKind.DELIVERY, KEY, wait_seconds=0),
            locks.hold(LockKind.DELIVERY, "42-0123abcd", wait_seconds=0),
            locks.hold(LockKind.CONSENT, KEY, wait_seconds=0),
            locks.hold(LockKind.REGISTRY, "", wait_seconds=0),
        ):
            assert not locks.is_taken(LockKind.RESIDENT, KEY)

    def test_a_waiting_thread_gets_it_when_it_is_free(self) -> None:
        held = self.make_locks().take(LockKind.CONSENT, KEY, wait_seconds=0)
        got: list[HeldLock] = []

        def wait() -> None:
            got.append(self.make_locks().take(LockKind.CONSENT, KEY, wait_seconds=10))

        waiting = threading.Thread(target=wait)
        waiting.start()
        waiting.join(timeout=0.03)
        assert not got
        held.release()
        waiting.join(timeout=10)
        assert len(got) == 1
        got[0].release()

    def test_releasing_twice_harms_nobody(self) -> None:
        locks = self.make_locks()
        first = locks.take(LockKind.CONSENT, KEY, wait_seconds=0)
        first.release()
        second = locks.take(LockKind.CONSENT, KEY, wait_seconds=0)
        first.release()
        assert locks.is_taken(LockKind.CONSENT, KEY)
        second.release()

    def test_looking_creates_and_takes_nothing(self) -> None:
        locks = self.make_locks()
        assert not locks.is_taken(LockKind.RESIDENT, KEY)
        with locks.hold(LockKind.RESIDENT, KEY, wait_seconds=0):
            assert locks.is_taken(LockKind.RESIDENT, KEY)

    def test_many_threads_are_one_at_a_time(self) -> None:
        inside: list[int] = []
        most: list[int] = []

        def work() -> None:
            for _ in range(10):
                with self.make_locks().hold(LockKind.CONSENT, KEY, wait_seconds=20):
                    inside.append(1)
                    most.append(len(inside))
                    inside.pop()

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=30)
        assert most == [1] * 40
