"""Messages that left the store: what is kept of one, and how its ref still answers (D31, M 7.7)."""

from typing import Final

from tidings.domain.identity.digest import sha256
from tidings.domain.identity.route import Route
from tidings.domain.instants import to_rfc3339
from tidings.domain.messages.delivery import State
from tidings.domain.messages.drafts import Draft, route_of
from tidings.domain.messages.envelope import Envelope
from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.evidence import Evidence, evidence_of
from tidings.domain.messages.origin import origin_of
from tidings.domain.messages.receipt import explain, refused
from tidings.domain.messages.send_outcome import Receipt, SendOutcome
from tidings.ports.codec import Document
from tidings.ports.history import HistoryRow
from tidings.ports.messages import MessageRow

LINE_VERSION: Final = 1
_NO_ROUTE: Final = ("", "", "", "", "")


def past_of(row: MessageRow, *, cause: str, at_ns: int) -> HistoryRow:
    """What is kept of the ended message ``row`` that leaves at the wall instant ``at_ns``."""
    envelope = parse_envelope(row.envelope)
    return HistoryRow(
        number=0,
        ref=row.ref,
        evicted_at_ns=at_ns,
        cause=cause,
        retry_sha256=retry_digest(envelope),
        state=row.state,
        reason=row.reason,
        outcome_unknown=row.outcome_unknown,
        evidence=str(evidence_of(row)),
        accepted_at_ns=row.accepted_at_ns,
        ttl_ns=row.ttl_ns,
        line=_line(row, envelope, cause=cause, at_ns=at_ns),
    )


def retry_digest(envelope: Envelope) -> str:
    """SHA-256 over all that sending again must repeat (M 1.8). None of the parts can hold a NUL."""
    origin, authority = envelope.origin, envelope.authority
    parts = (
        *(str(envelope.version), envelope.message_ref, envelope.conversation_ref),
        envelope.reply_to,
        *(() if origin is None else (str(origin.kind), origin.client)),
        *_parts(envelope.source),
        *_parts(envelope.target),
        *(authority.kind, authority.trust, authority.permission),
        *(str(envelope.ttl_ns), envelope.payload),
    )
    return sha256("\0".join(parts).encode()).hexdigest()


def replay_of_past(past: HistoryRow, envelope: Envelope) -> SendOutcome:
    """The answer to the ref of a message that left: the same retry gets what became of it, any
    other message is refused; nothing is ever sent again."""
    return _replayed(past, is_same=past.retry_sha256 == retry_digest(envelope))


def replay_of_past_text(past: HistoryRow, draft: Draft) -> SendOutcome:
    """As ``replay_of_past``, wherever the target's conversation went since."""
    origin = origin_of(draft.kind, draft.client)
    kept = (past.line.get("payloadSHA256"), past.line.get("origin"), past.ttl_ns)
    asked = (
        sha256(draft.text.encode()).hexdigest(),
        None if origin is None else origin.to_document(),
        draft.ttl_ns,
    )
    source = None if draft.source is None else _end(route_of(draft.source))
    return _replayed(past, is_same=(*kept, past.line.get("source")) == (*asked, source))


def _replayed(past: HistoryRow, *, is_same: bool) -> SendOutcome:
    if is_same:
        return receipt_of_past(past)
    return refused(
        "ref-envelope-mismatch",
        detail=f"state={past.state} reason={past.reason}",
        earlier_ref=past.ref,
    )


def receipt_of_past(past: HistoryRow) -> Receipt:
    """The receipt of a message that left; its short form is its whole ref."""
    text, next_step, exit_code = explain(past)
    return Receipt(
        ref=past.ref,
        short=past.ref,
        state=State(past.state),
        reason=past.reason,
        outcome_unknown=past.outcome_unknown,
        evidence=Evidence(past.evidence),
        text=text,
        next_step=next_step,
        exit_code=exit_code,
        accepted_at_ns=past.accepted_at_ns,
        deadline_ns=past.accepted_at_ns + past.ttl_ns,
        replayed=True,
        whole=True,
    )


def _line(row: MessageRow, envelope: Envelope, *, cause: str, at_ns: int) -> Document:
    """The keys of M 7.7 in their order. Routes are cut to agent and provider; no text, no deadline."""
    line: Document = {
        "schemaVersion": LINE_VERSION,
        "evictedAt": to_rfc3339(at_ns),
        "reason": cause,
        "adapter": row.transport or "",
        "messageRef": row.ref,
        "conversationRef": row.conversation_ref,
    }
    if row.reply_to is not None:
        line["replyTo"] = row.reply_to
    line |= {"state": row.state, "deliveryReason": row.reason}
    if row.outcome_unknown:
        line["outcomeUnknown"] = True
    line |= {
        "handoffObserved": row.handoff_at_ns is not None,
        "acceptedAt": to_rfc3339(row.accepted_at_ns),
        "terminalAt": to_rfc3339(row.terminal_at_ns or 0),
        "payloadBytes": len(envelope.payload.encode()),
        "payloadSHA256": row.payload_sha256,
    }
    if envelope.origin is not None:
        line["origin"] = envelope.origin.to_document()
    if envelope.source is not None:
        line["source"] = _end(envelope.source)
    line["target"] = _end(envelope.target)
    return line


def _end(route: Route) -> Document:
    return {"agentUID": route.agent_uid, "provider": route.provider}


def _parts(route: Route | None) -> tuple[str, ...]:
    if route is None:
        return _NO_ROUTE
    return (
        *(route.agent_uid, route.pane_uid, route.activation_generation),
        *(route.provider, route.incarnation),
    )
