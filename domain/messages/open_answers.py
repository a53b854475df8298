"""The sockets at which answers to delivered messages arrive (D29)."""

from tidings.domain.messages.deadline import is_past
from tidings.domain.messages.delivery import State
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.frame import FrameWay, frame_of
from tidings.ports.clock import Clock, Instant
from tidings.ports.messages import MessageRow, MessageStore, StoreTransaction
from tidings.ports.replies import ReplySockets


class OpenAnswers:
    """Keeps one socket per message that can still be answered, and no other."""

    def __init__(self, *, store: MessageStore, clock: Clock, sockets: ReplySockets) -> None:
        self._store = store
        self._clock = clock
        self._sockets = sockets
        self._open: set[str] = set()

    def address(self, ref: str) -> str:
        """``uds:PATH`` of the message's socket; empty where the platform gives none."""
        address = self._sockets.address(ref)
        if address:
            self._open.add(ref)
        return address

    def close(self, ref: str) -> None:
        """Stops listening for ``ref``."""
        self._open.discard(ref)
        self._sockets.close(ref)

    def tend(self, activation_id: str) -> int:
        """Opens what a predecessor left open, closes what is over; how many are open."""
        now = self._clock.now()
        wanted = self._store.view(lambda tx: _answerable(tx, activation_id, now))
        for ref in self._open - wanted:
            self.close(ref)
        for ref in wanted:
            self.address(ref)
        return len(self._open)


def _answerable(tx: StoreTransaction, activation_id: str, now: Instant) -> frozenset[str]:
    run = tx.activation(activation_id)
    if run is None or run.ended_at_ns is not None:
        return frozenset()
    rows = tx.awaiting_reply_from(run.agent_uid)
    return frozenset(row.ref for row in rows if _can_be_answered(row, activation_id, now))


def _can_be_answered(row: MessageRow, activation_id: str, now: Instant) -> bool:
    envelope = parse_envelope(row.envelope)
    return (
        row.state == State.DELIVERED
        and not is_past(row, now)
        and envelope.target.activation_generation == activation_id
        and frame_of(envelope, answer_address="").answer_way is not FrameWay.NONE
    )
