"""Answers: whether one belongs to its original, and whether it may be given (M 6, D29)."""

from collections.abc import Sequence
from enum import StrEnum

from tidings.domain.identity.route import Route
from tidings.domain.messages.deadline import is_past
from tidings.domain.messages.delivery import State
from tidings.domain.messages.envelope import Envelope, fault_of
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.reasons import is_known_zero
from tidings.domain.messages.reply_box import box_route
from tidings.ports.clock import Instant
from tidings.ports.messages import MessageRow
from tidings.ports.processes import ProcessBirth
from tidings.ports.replies import NativeAnswer
from tidings.ports.values import dataclass


class ReplyFault(StrEnum):
    """Why an answer is refused before anything is written; one cause each (M 6.5)."""

    NOT_FOUND = "reply-original-not-found"
    OPERATOR = "explicit-reply-operator-origin"
    NOTICE = "explicit-reply-to-notice"
    NO_SOURCE = "explicit-reply-no-source"
    COMMITTED = "reply-already-committed"
    NOT_DELIVERED = "reply-original-not-delivered"
    EXPIRED = "explicit-reply-deadline-expired"
    SOURCE_STALE = "explicit-reply-source-route-stale"
    TARGET_STALE = "explicit-reply-target-route-stale"
    CORRELATION = "invalid-explicit-reply-correlation"
    CONVERSATION = "explicit-reply-conversation-changed"
    ENVELOPE = "invalid-explicit-reply-envelope"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRefusal:
    """The fault, with the earlier answer where that is the cause."""

    fault: ReplyFault
    previous: MessageRow | None = None


def original_fault(
    original: MessageRow, envelope: Envelope, attempts: Sequence[MessageRow], now: Instant
) -> ReplyRefusal | None:
    """Whether the original can be answered now, in the order of M 6.4.

    An earlier answer closes the lane unless it is proved that no byte of it left. A notice asks
    nothing, so nobody agreed to hear an answer to it.
    """
    if envelope.kind is MessageKind.OPERATOR:
        return ReplyRefusal(fault=ReplyFault.OPERATOR)
    if envelope.kind is MessageKind.NOTICE:
        return ReplyRefusal(fault=ReplyFault.NOTICE)
    if asker_route(envelope) is None:
        return ReplyRefusal(fault=ReplyFault.NO_SOURCE)
    for attempt in attempts:
        if not leaves_lane_open(attempt):
            return ReplyRefusal(fault=ReplyFault.COMMITTED, previous=attempt)
    if original.state != State.DELIVERED:
        return ReplyRefusal(fault=ReplyFault.NOT_DELIVERED)
    return ReplyRefusal(fault=ReplyFault.EXPIRED) if is_past(original, now) else None


def asker_route(original: Envelope) -> Route | None:
    """Where an answer goes: to the agent that asked, into its sender's box, or nowhere."""
    if original.source is not None:
        return original.source
    box = original.wishes.reply_box
    return box_route(box) if box else None


def leaves_lane_open(attempt: MessageRow) -> bool:
    """Only a failure that proves zero bytes does; a false unknown flag alone proves nothing."""
    failed = attempt.state in (State.FAILED, State.REFUSED) and not attempt.outcome_unknown
    return failed and is_known_zero(attempt.reason)


def correlation_fault(original: Envelope, reply: Envelope) -> ReplyFault | None:
    """Whether ``reply`` answers ``original`` (M 6.1). A relaunch into the same conversation does."""
    asker = asker_route(original)
    if fault_of(original) is not None or asker is None or reply.source is None:
        return ReplyFault.CORRELATION
    if fault_of(reply) is not None:
        return ReplyFault.ENVELOPE
    if not _refs_match(original, reply):
        return ReplyFault.CORRELATION
    reverse = original.target.same_agent(reply.source), asker.same_agent(reply.target)
    if not all(reverse):
        return ReplyFault.CORRELATION
    asked = (original.target.incarnation, asker.incarnation)
    answered = (reply.source.incarnation, reply.target.incarnation)
    return None if asked == answered else ReplyFault.CONVERSATION


def peer_proves_answer(answer: NativeAnswer, owner: ProcessBirth) -> bool:
    """Whether the kernel named the answering session's own process as the writer (D3, D29).

    It counts who connected: an answer outlives the process that wrote it.
    """
    named = ProcessBirth(pid=answer.peer_pid, uid=answer.peer_uid, start=answer.peer_start)
    return answer.peer_pid > 0 and answer.peer_start != "" and named == owner


def _refs_match(original: Envelope, reply: Envelope) -> bool:
    return (
        reply.reply_to == original.message_ref
        and reply.conversation_ref == original.conversation_ref
        and reply.message_ref != original.message_ref
    )
