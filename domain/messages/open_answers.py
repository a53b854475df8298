"""The sockets at which answers to delivered messages arrive (D29).

One stands open only while an answer at it would be taken: so the answering model learns from its
own tool that it comes too late, which is all that its client can tell it.
"""

from collections.abc import Sequence
from typing import Final

from tidings.domain.consent.arming import Denied, decide_answer_consent
from tidings.domain.messages.answering import asker_of
from tidings.domain.messages.deadline import is_past, remaining_ns
from tidings.domain.messages.delivery import State
from tidings.domain.messages.drafts import route_of
from tidings.domain.messages.envelope import Envelope
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.frame import FrameWay, frame_of
from tidings.domain.messages.limits import SECOND_NS
from tidings.domain.messages.lookout import BirthProbe, ConsentReader
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Clock, Instant
from tidings.ports.messages import MessageRow, MessageStore, StoreTransaction
from tidings.ports.replies import ReplySockets
from tidings.ports.tokens import Verdict
from tidings.ports.values import dataclass

FOREVER_SECONDS: Final = float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenNow:
    """How many sockets stand open, and in how many seconds the first of them is to be closed."""

    count: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """A message that can be answered. ``asker`` None: the answer goes into a box."""

    ref: str
    asker: ActivationRow | None
    left_ns: int


class OpenAnswers:
    """Keeps one socket per message that can still be answered, and no other."""

    def __init__(
        self,
        *,
        store: MessageStore,
        consent: ConsentReader,
        probe: BirthProbe,
        clock: Clock,
        sockets: ReplySockets,
    ) -> None:
        self._store = store
        self._consent = consent
        self._probe = probe
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

    def tend(self, activation_id: str) -> OpenNow:
        """Opens what a predecessor left open, closes what is over."""
        now = self._clock.now()
        asked = self._store.view(lambda tx: _answerable(tx, activation_id, now))
        heard = [one for one in asked if one.asker is None or self._hears(one.asker)]
        wanted = {one.ref for one in heard}
        for ref in self._open - wanted:
            self.close(ref)
        for ref in wanted:
            self.address(ref)
        ends = (one.left_ns / SECOND_NS for one in heard)
        return OpenNow(count=len(self._open), seconds=min(ends, default=FOREVER_SECONDS))

    def _hears(self, asker: ActivationRow) -> bool:
        if self._probe.alive_birth(asker.owner, asker.place) is Verdict.DEAD:
            return False
        said = decide_answer_consent(self._consent.state(asker.session_key))
        return not isinstance(said, Denied)


def _answerable(tx: StoreTransaction, activation_id: str, now: Instant) -> Sequence[_Question]:
    run = tx.activation(activation_id)
    if run is None or run.ended_at_ns is not None:
        return ()
    rows = tx.awaiting_reply_from(run.agent_uid)
    questions = (_question(tx, row, run, now) for row in rows)
    return tuple(one for one in questions if one is not None)


def _question(
    tx: StoreTransaction, row: MessageRow, run: ActivationRow, now: Instant
) -> _Question | None:
    envelope, asker = parse_envelope(row.envelope), asker_of(tx, row)
    is_theirs = asker is None or _is_same_conversation(envelope, asker)
    has_end = asker is not None or bool(envelope.wishes.reply_box)
    if not (is_theirs and has_end and _can_be_answered(row, envelope, run, now)):
        return None
    return _Question(ref=row.ref, asker=asker, left_ns=remaining_ns(row, now))


def _is_same_conversation(envelope: Envelope, asker: ActivationRow) -> bool:
    source = envelope.source
    return source is not None and source.incarnation == route_of(asker).incarnation


def _can_be_answered(row: MessageRow, envelope: Envelope, run: ActivationRow, now: Instant) -> bool:
    return (
        row.state == State.DELIVERED
        and not is_past(row, now)
        and envelope.target == route_of(run)
        and frame_of(envelope, answer_address="").answer_way is not FrameWay.NONE
    )
