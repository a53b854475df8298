"""Settling by hand what no resident is there to settle (D16, D20)."""

from tidings.domain.messages.hold import LOST
from tidings.domain.messages.settling import marked_of, settle
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Clock, Instant
from tidings.ports.locks import Locks
from tidings.ports.messages import MessageStore, StoreTransaction
from tidings.ports.tokens import LockKind

LOCK_WAIT_SECONDS = 3.0
WRITE_WAIT_SECONDS = 2.0


class Settler:
    """Ends messages whose write began and whose writer is gone."""

    def __init__(self, *, store: MessageStore, locks: Locks, clock: Clock) -> None:
        self._store = store
        self._locks = locks
        self._clock = clock

    def settle_lost(self, run: ActivationRow) -> tuple[str, ...]:
        """Ends them as uncertain, under the delivery lock: whoever still writes holds that.

        Raises ``LockTimeout`` after 3 s.
        """
        if not self._store.view(lambda tx: marked_of(tx, run)):
            return ()
        with self._locks.hold(LockKind.DELIVERY, run.session_key, wait_seconds=LOCK_WAIT_SECONDS):
            now = self._clock.now()
            return self._store.transact(
                lambda tx: _settle_lost(tx, run, now), wait_seconds=WRITE_WAIT_SECONDS
            )


def _settle_lost(tx: StoreTransaction, run: ActivationRow, now: Instant) -> tuple[str, ...]:
    return tuple(settle(tx, row, LOST, now).ref for row in marked_of(tx, run))
