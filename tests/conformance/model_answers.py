"""Answers of the pretended model in the API's own shape, whole and streamed (H 1)."""

import json
from collections.abc import Iterator

from conformance.model_script import Step
from conformance.plain import document, items
from tidings.ports.codec import Document, Value


def answer_message(step: Step, number: int) -> Document:
    """The API's message for one step; ``number`` makes its ids unique."""
    blocks: list[Value] = [{"type": "text", "text": step.text}] if step.text else []
    for index, call in enumerate(step.calls):
        use = f"toolu_pretended_{number}_{index}"
        blocks.append({"type": "tool_use", "id": use, "name": call.tool, "input": call.input})
    return {
        "id": f"msg_pretended_{number}",
        "type": "message",
        "role": "assistant",
        "model": "pretended",
        "content": blocks,
        "stop_reason": "tool_use" if step.calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 10},
    }


def stream_events(message: Document) -> Iterator[Document]:
    """The events of a streamed answer, in the order the client needs (H 1)."""
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for index, block in enumerate(document(entry) for entry in items(message["content"])):
        empty, delta = _in_two(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end: Document = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 10}}
    yield {"type": "message_stop"}


def _in_two(block: Document) -> tuple[Document, Document]:
    """A block without its content, and the delta that brings the content."""
    if block["type"] == "text":
        return {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
    delta: Document = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return {**block, "input": {}}, delta
