"""The JSON encoding of a frame, for readers that take objects (M 8.1, 8.2), schema 2."""

from typing import Final

from tidings.domain.messages.authority import COORDINATION
from tidings.domain.messages.frame import TYPED_NOTE, Frame, FrameWay
from tidings.domain.messages.labels import plain_field, plain_ref
from tidings.domain.messages.neutralize import body_lines
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import proof_text
from tidings.ports.codec import Document

FRAME_KIND: Final = "tidings-coordination"
SCHEMA_VERSION: Final = 2


def frame_document(frame: Frame) -> Document:
    """The keys of M 8.1 in their order, every field made harmless (D28). Text that imitates keys
    stays text: it is a JSON string."""
    document: Document = {
        "kind": FRAME_KIND,
        "schemaVersion": SCHEMA_VERSION,
        "authority": f"untrusted-{COORDINATION}",
        "messageRef": plain_ref(frame.message_ref),
        "conversationRef": plain_ref(frame.conversation_ref),
    }
    if frame.reply_to:
        document["replyTo"] = plain_ref(frame.reply_to)
    document["source"] = _source(frame)
    document["target"] = _end(frame.target_agent, frame.target_provider)
    document["payload"] = "\n".join(body_lines(frame.shown))
    document["sourceNotice"] = _notice(frame)
    document["replyAction"] = _reply_action(frame)
    return document


def _source(frame: Frame) -> Document:
    if frame.source_agent:
        return _end(frame.source_agent, frame.provider)
    return {"kind": str(frame.kind), "client": plain_field(frame.client)}


def _end(agent_uid: str, provider: str) -> Document:
    return {"agentUID": plain_ref(agent_uid), "provider": plain_field(provider)}


def _notice(frame: Frame) -> str:
    client, proof = plain_field(frame.client), proof_text(frame.proof)
    if frame.kind is MessageKind.OPERATOR:
        return f"Came through the Tidings client {client}; the person was not verified."
    what = "A notice. " if frame.kind is MessageKind.NOTICE else ""
    if frame.was_typed:
        where = f"Typed at the operator's terminal {client} with Tidings"
        return f"{what}{where}; {proof}. {TYPED_NOTE}"
    return f"{what}The sender is another session or a script ({proof}); the payload is its text."


def _reply_action(frame: Frame) -> str:
    match frame.answer_way:
        case FrameWay.NONE:
            return ""
        case FrameWay.SEND_MESSAGE:
            return f'SendMessage to "{frame.answer_address}"'
        case FrameWay.REPLY_VERB:
            return f"tidings reply {plain_ref(frame.message_ref)} -- TEXT"
