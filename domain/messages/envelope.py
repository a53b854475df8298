"""The immutable envelope of a message, and the rules it must meet (M 1.6, 1.8; D17, D20, D26)."""

from enum import StrEnum
from typing import TypeAlias

from tidings.domain.identity.route import Route, is_ref
from tidings.domain.messages.authority import Authority, authority_of
from tidings.domain.messages.limits import (
    ENVELOPE_VERSION,
    LONGEST_PAYLOAD_BYTES,
    LONGEST_TTL_NS,
    SECOND_NS,
)
from tidings.domain.messages.origin import MessageKind, Origin, is_origin
from tidings.domain.messages.provenance import Provenance
from tidings.domain.messages.wishes import NO_WISHES, When, Wishes, wrong_wish
from tidings.ports.tokens import Provider
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """One message as it was accepted. Instants are wall nanoseconds.

    ``source`` None means that no agent sent it; ``origin`` None means that an agent did.
    """

    version: int
    message_ref: str
    conversation_ref: str
    reply_to: str
    origin: Origin | None
    source: Route | None
    target: Route
    authority: Authority
    payload: str
    accepted_at_ns: int
    deadline_ns: int
    provenance: Provenance | None
    wishes: Wishes = NO_WISHES

    @property
    def ttl_ns(self) -> int:
        """The life of the message: deadline minus acceptance."""
        return self.deadline_ns - self.accepted_at_ns

    @property
    def kind(self) -> MessageKind:
        """The kind, which the origin decides."""
        return MessageKind.AGENT if self.origin is None else self.origin.kind


class FaultClass(StrEnum):
    """Why an envelope is invalid. No refusal is anonymous (M19)."""

    QUALIFICATION = "envelope-qualification-invalid"
    CORRELATION = "envelope-correlation-invalid"
    ROUTE = "envelope-route-invalid"
    PAYLOAD = "envelope-payload-invalid"
    PAYLOAD_TOO_LARGE = "envelope-payload-too-large"
    OPERATOR_TARGET = "operator-origin-target-not-claude"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvelopeFault:
    """The first rule that an envelope breaks; ``detail`` names numbers, never the payload."""

    token: FaultClass
    detail: str = ""


Fault: TypeAlias = EnvelopeFault | None

_BOXED = frozenset({MessageKind.PUSH, MessageKind.AUTOMATION})


def fault_of(envelope: Envelope) -> Fault:
    """The first fault in the order of M 1.6, or None for a valid envelope."""
    return (
        _version_fault(envelope)
        or _correlation_fault(envelope)
        or _target_fault(envelope)
        or payload_fault(envelope.payload)
        or _life_fault(envelope)
        or _sender_fault(envelope)
        or _wish_fault(envelope)
    )


def payload_fault(payload: str) -> Fault:
    """Rules 6 to 9: 1 to 65,536 bytes of UTF-8 without NUL. Other control characters may be in."""
    if not payload:
        return EnvelopeFault(token=FaultClass.PAYLOAD)
    try:
        size_bytes = len(payload.encode())
    except UnicodeEncodeError:
        return EnvelopeFault(token=FaultClass.PAYLOAD, detail="not UTF-8")
    if size_bytes > LONGEST_PAYLOAD_BYTES:
        detail = f"payloadBytes={size_bytes} limitBytes={LONGEST_PAYLOAD_BYTES}"
        return EnvelopeFault(token=FaultClass.PAYLOAD_TOO_LARGE, detail=detail)
    return EnvelopeFault(token=FaultClass.PAYLOAD, detail="NUL") if "\0" in payload else None


def same_retry(one: Envelope, other: Envelope) -> bool:
    """Whether sending ``other`` is sending ``one`` again (M 1.8). Acceptance time is ignored."""
    return (
        _identity(one) == _identity(other)
        and one.target.is_valid
        and _same_sender(one, other)
        and one.ttl_ns == other.ttl_ns
    )


def _identity(envelope: Envelope) -> tuple[object, ...]:
    return (
        envelope.version,
        envelope.message_ref,
        envelope.conversation_ref,
        envelope.reply_to,
        envelope.target,
        envelope.authority,
        envelope.payload,
        envelope.wishes.when,
        envelope.wishes.supersede_key,
        envelope.wishes.wake,
    )


def _same_sender(one: Envelope, other: Envelope) -> bool:
    if (one.origin, one.source) != (other.origin, other.source):
        return False
    return _sender_fault(one) is None


def _wish_fault(envelope: Envelope) -> Fault:
    wrong = wrong_wish(envelope.wishes) or _wish_of_another_kind(envelope)
    return EnvelopeFault(token=FaultClass.QUALIFICATION, detail=wrong) if wrong else None


def _wish_of_another_kind(envelope: Envelope) -> str:
    """Only who is no agent, and may be answered at all, has a box (D22). A notice waits for another
    message and has no moment of its own; only it can ask to wake (D15)."""
    wishes, is_notice = envelope.wishes, envelope.kind is MessageKind.NOTICE
    if wishes.awaited_by and envelope.kind is not MessageKind.AGENT:
        return "awaitedBy"
    if wishes.reply_box and envelope.kind not in _BOXED:
        return "replyBox"
    if is_notice and wishes.when is not When.NOW:
        return "when"
    return "wake" if wishes.wake and not is_notice else ""


def _version_fault(envelope: Envelope) -> Fault:
    if envelope.version == ENVELOPE_VERSION:
        return None
    detail = f"version={envelope.version} supported={ENVELOPE_VERSION}"
    return EnvelopeFault(token=FaultClass.QUALIFICATION, detail=detail)


def _correlation_fault(envelope: Envelope) -> Fault:
    for name, ref in (
        ("messageRef", envelope.message_ref),
        ("conversationRef", envelope.conversation_ref),
        ("replyTo", envelope.reply_to or "-"),
    ):
        if not is_ref(ref):
            return EnvelopeFault(token=FaultClass.CORRELATION, detail=name)
    return None


def _target_fault(envelope: Envelope) -> Fault:
    if envelope.target.is_valid:
        return None
    return EnvelopeFault(token=FaultClass.ROUTE, detail="target")


def _life_fault(envelope: Envelope) -> Fault:
    if envelope.accepted_at_ns <= 0 or envelope.deadline_ns <= envelope.accepted_at_ns:
        return EnvelopeFault(token=FaultClass.QUALIFICATION, detail="deadline")
    if envelope.ttl_ns <= LONGEST_TTL_NS:
        return None
    detail = f"ttl={envelope.ttl_ns}ns limit={LONGEST_TTL_NS // SECOND_NS}s"
    return EnvelopeFault(token=FaultClass.QUALIFICATION, detail=detail)


def _sender_fault(envelope: Envelope) -> Fault:
    """Rules 11 to 15: the sender's shape decides authority, and mixed shapes are invalid."""
    return _shape_fault(envelope) or _authority_fault(envelope)


def _shape_fault(envelope: Envelope) -> Fault:
    origin, source = envelope.origin, envelope.source
    if origin is not None and not is_origin(origin):
        return EnvelopeFault(token=FaultClass.QUALIFICATION, detail="origin")
    if not _may_come_from(origin, source):
        return EnvelopeFault(token=FaultClass.ROUTE, detail="source")
    if origin is not None and envelope.reply_to:
        return EnvelopeFault(token=FaultClass.CORRELATION, detail="replyTo")
    return None


def _may_come_from(origin: Origin | None, source: Route | None) -> bool:
    """An agent's message needs a source, a notice may keep a proved one, others have none (D26)."""
    if source is None:
        return origin is not None
    return (origin is None or origin.kind is MessageKind.NOTICE) and source.is_valid


def _authority_fault(envelope: Envelope) -> Fault:
    if envelope.authority != authority_of(envelope.origin):
        return EnvelopeFault(token=FaultClass.QUALIFICATION, detail="authority")
    if envelope.kind is MessageKind.OPERATOR and envelope.target.provider != Provider.CLAUDE:
        return EnvelopeFault(token=FaultClass.OPERATOR_TARGET)
    return None
