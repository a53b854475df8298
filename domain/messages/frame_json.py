"""The JSON encoding of a frame, for readers that take objects (M 8.1, 8.2), schema 2."""

from typing import Final

from tidings.domain.messages.authority import COORDINATION
from tidings.domain.messages.frame import Frame, FrameWay
from tidings.domain.messages.labels import plain_field, plain_ref
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import proof_text
from tidings.ports.codec import Document

FRAME_KIND: Final = "tidings-coordination"
SCHEMA_VERSION: Final = 2
_PERSONS: Final = frozenset({MessageKind.OPERATOR, MessageKind.PUSH})


def frame_document(frame: Frame) -> Document:
    """The keys of M 8.1 in their order. Text that imitates them stays text: it is a JSON string."""
    document: Document = {
        "kind": FRAME_KIND,
        "schemaVersion": SCHEMA_VERSION,
        "authority": f"untrusted-{COORDINATION}",
        "messageRef": frame.message_ref,
        "conversationRef": frame.conversation_ref,
    }
    if frame.reply_to:
        document["replyTo"] = frame.reply_to
    document["source"] = _source(frame)
    document["target"] = {"agentUID": frame.target_agent, "provider": frame.target_provider}
    document["payload"] = frame.shown
    document["sourceNotice"] = _notice(frame)
    document["replyAction"] = _reply_action(frame)
    return document


def _source(frame: Frame) -> Document:
    if frame.source_agent:
        return {"agentUID": frame.source_agent, "provider": frame.provider}
    return {"kind": str(frame.kind), "client": frame.client}


def _notice(frame: Frame) -> str:
    if frame.kind in _PERSONS:
        client = plain_field(frame.client)
        return f"Came through the Tidings client {client}; the person was not verified."
    proof = proof_text(frame.proof)
    return f"The sender is another session or a script ({proof}); the payload is its text."


def _reply_action(frame: Frame) -> str:
    match frame.answer_way:
        case FrameWay.NONE:
            return ""
        case FrameWay.SEND_MESSAGE:
            return f'SendMessage to "{frame.answer_address}"'
        case FrameWay.REPLY_VERB:
            return f"tidings reply {plain_ref(frame.message_ref)} -- TEXT"
