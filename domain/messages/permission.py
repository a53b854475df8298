"""What the target's consent says of one stored message (D6)."""

from tidings.domain.consent.arming import (
    ArmState,
    Consent,
    ConsentReason,
    ConsentRequest,
    Denied,
    decide_answer_consent,
    decide_consent,
)
from tidings.domain.identity.addresses import AUTOMATION_ADDRESS, OPERATOR_ADDRESS
from tidings.domain.messages.envelope import Envelope
from tidings.domain.messages.hold import Permission
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import Proof
from tidings.ports.messages import MessageRow


def request_of(envelope: Envelope) -> ConsentRequest:
    """Who wants to be heard with ``envelope``."""
    return ConsentRequest(
        sender_agent=envelope.source.agent_uid if envelope.source is not None else None,
        sender_address=_sender_address(envelope),
        kind=str(envelope.kind),
    )


def consent_now(row: MessageRow, envelope: Envelope, state: ArmState, *, now_ns: int) -> Permission:
    """The permission at this moment. Other than an answer, it needs the very generation of
    acceptance, so a disarm followed by an arm frees nothing old (SX15)."""
    needs_grant = row.consent_generation is not None
    if needs_grant:
        said: Consent = decide_consent(state, request_of(envelope), now_ns=now_ns)
    else:
        said = decide_answer_consent(state)
    if isinstance(said, Denied):
        doubtful = said.reason is ConsentReason.UNREADABLE
        return Permission.UNREADABLE if doubtful else Permission.WITHDRAWN
    same = not needs_grant or said.generation == row.consent_generation
    return Permission.GRANTED if same else Permission.WITHDRAWN


def _sender_address(envelope: Envelope) -> str:
    seen = envelope.provenance
    if envelope.kind in (MessageKind.PUSH, MessageKind.OPERATOR):
        return OPERATOR_ADDRESS
    if envelope.source is not None and seen is not None:
        return seen.address
    is_notice = envelope.kind is MessageKind.NOTICE
    was_typed = is_notice and seen is not None and seen.proof is Proof.TERMINAL
    return OPERATOR_ADDRESS if was_typed else AUTOMATION_ADDRESS
