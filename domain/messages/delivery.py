"""The life of a message as a pure reducer; terminal once (M 2.1 to 2.3, D20)."""

from enum import StrEnum
from typing import Final

from tidings.domain.identity.route import Route
from tidings.domain.messages.envelope import Envelope, fault_of
from tidings.domain.messages.limits import LONGEST_REASON_BYTES
from tidings.ports.values import dataclass, replace


class State(StrEnum):
    """Accepted and held are on their way; the other five are terminal."""

    ACCEPTED = "accepted"
    HELD = "held"
    DELIVERED = "delivered"
    REFUSED = "refused"
    EXPIRED = "expired"
    STALE = "stale"
    FAILED = "failed"


OPEN_STATES: Final = frozenset({State.ACCEPTED, State.HELD})
UNSPECIFIED: Final = "unspecified"


class Happening(StrEnum):
    """What can happen to a message."""

    ACCEPT = "accept"
    HOLD = "hold"
    DELIVER = "deliver"
    REFUSE = "refuse"
    EXPIRE = "expire"
    STALE = "stale"
    FAIL = "fail"


_ENDS: Final = {
    Happening.DELIVER: State.DELIVERED,
    Happening.REFUSE: State.REFUSED,
    Happening.EXPIRE: State.EXPIRED,
    Happening.STALE: State.STALE,
    Happening.FAIL: State.FAILED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Where a message stands. ``terminal_at_ns`` (wall) is set exactly in terminal states."""

    message_ref: str
    conversation_ref: str
    state: State
    reason: str
    outcome_unknown: bool
    accepted_at_ns: int
    terminal_at_ns: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryEvent:
    """One happening, for exactly the message that the refs and the target name."""

    kind: Happening
    message_ref: str
    conversation_ref: str
    target: Route
    reason: str
    observed_at_ns: int
    outcome_unknown: bool = False


def reduce_delivery(
    envelope: Envelope, current: Delivery | None, event: DeliveryEvent
) -> Delivery | None:
    """The delivery after ``event``; the very same value where the event changes nothing (M 2.2).

    A hold on a held message replaces its reason (D20). There is no way back from a terminal
    state, nor to accepted, so a resend by itself cannot be expressed.
    """
    if not _concerns(envelope, current, event):
        return current
    if current is None:
        return _accepted(envelope) if event.kind is Happening.ACCEPT else None
    return moved(
        current,
        event.kind,
        event.reason,
        at_ns=event.observed_at_ns,
        outcome_unknown=event.outcome_unknown,
    )


def moved(
    current: Delivery, kind: Happening, reason: str, *, at_ns: int, outcome_unknown: bool = False
) -> Delivery:
    """The reducer's table alone, for a happening that is known to concern this very message."""
    if current.state not in OPEN_STATES or kind is Happening.ACCEPT:
        return current
    if kind is Happening.HOLD:
        held = replace(current, state=State.HELD, reason=stored_reason(reason))
        return current if held == current else held
    return replace(
        current,
        state=_ENDS[kind],
        reason=stored_reason(reason),
        outcome_unknown=outcome_unknown and kind is Happening.FAIL,
        terminal_at_ns=at_ns,
    )


def stored_reason(reason: str) -> str:
    """Trimmed; ``unspecified`` when empty; cut to 160 bytes between characters (M44)."""
    trimmed = reason.strip() or UNSPECIFIED
    return trimmed.encode()[:LONGEST_REASON_BYTES].decode(errors="ignore")


def _accepted(envelope: Envelope) -> Delivery:
    return Delivery(
        message_ref=envelope.message_ref,
        conversation_ref=envelope.conversation_ref,
        state=State.ACCEPTED,
        reason="",
        outcome_unknown=False,
        accepted_at_ns=envelope.accepted_at_ns,
        terminal_at_ns=None,
    )


def _concerns(envelope: Envelope, current: Delivery | None, event: DeliveryEvent) -> bool:
    refs = (envelope.message_ref, envelope.conversation_ref)
    return (
        fault_of(envelope) is None
        and (event.message_ref, event.conversation_ref) == refs
        and event.target == envelope.target
        and event.observed_at_ns >= envelope.accepted_at_ns
        and (current is None or (current.message_ref, current.conversation_ref) == refs)
    )
