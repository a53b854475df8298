"""What the pretended model answers: chosen by the prompt itself, so that a test reads in one place.

A user message may carry a script, a JSON array with one object per model answer::

    %%[{"tool": "Bash", "input": {"command": "ls"}}, {"text": "done"}]%%

One that is part of a script, such as the prompt of a subagent, stands between ``@@`` instead.
A step takes ``text``, ``tool`` with ``input``, ``tools`` (several of those), ``delay`` (seconds
before the first byte) and ``http`` with ``error`` (a failure instead of an answer). In the inputs
of tools the word ``$FROM`` becomes the ``from=`` address of the message that carries the script:
whoever writes the script cannot know it yet. The k-th answer after the newest script is step k;
beyond the end, and without a script, the model says ``ack N``, so that every wake-up is answered
and can be seen.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from conformance.plain import document, items, number_of, parsed, text_of
from tidings.ports.codec import Document, Value

SCRIPT = re.compile(r"%%(\[.*?\])%%|@@(\[.*?\])@@", re.DOTALL)
ADDRESS = re.compile(r'from=\\?"(uds:[^"\\]+)')
ADDRESS_WORD = "$FROM"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One tool that the model wants to use."""

    tool: str
    input: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One answer of the model."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    delay_seconds: float = 0.0
    http_status: int = 200
    error: str = "api_error"


def next_step(messages: Sequence[Document]) -> Step | None:
    """The step that answers ``messages``, or None where no script applies (any more)."""
    for index in range(len(messages) - 1, -1, -1):
        text = message_text(messages[index])
        if messages[index].get("role") == "user" and (found := SCRIPT.findall(text)):
            steps = parse_script("".join(found[-1]), address=_address_in(text))
            done = sum(later.get("role") == "assistant" for later in messages[index + 1 :])
            return steps[done] if done < len(steps) else None
    return None


def message_text(message: Document) -> str:
    """All plain text of one message, the client's own additions included."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    blocks = [document(block) for block in items(content)]
    return "\n".join(text_of(block.get("text")) for block in blocks if block.get("type") == "text")


def parse_script(source: str, *, address: str = "") -> tuple[Step, ...]:
    """The steps in ``source``; a script that is no JSON array is one step that says so."""
    value = parsed(source.replace(ADDRESS_WORD, address))
    if not isinstance(value, list):
        return (Step(text=f"unreadable script: {source}"),)
    return tuple(_step(document(entry)) for entry in value)


def _step(entry: Document) -> Step:
    calls = [document(call) for call in items(entry.get("tools"))]
    if "tool" in entry:
        calls.append(entry)
    delay = entry.get("delay")
    return Step(
        text=text_of(entry.get("text")),
        calls=tuple(
            ToolCall(tool=text_of(call.get("tool")), input=call.get("input", {})) for call in calls
        ),
        delay_seconds=float(delay) if isinstance(delay, int | float) else 0.0,
        http_status=number_of(entry.get("http")) or 200,
        error=text_of(entry.get("error")) or "api_error",
    )


def _address_in(text: str) -> str:
    found = ADDRESS.findall(text)
    return found[-1] if found else ""


def answering_script(text: str) -> str:
    """A script by which the model answers ``text`` to whoever sent the message (H 10).

    SendMessage is a deferred tool, so the model loads it first, as a real one has to.
    """
    load: Value = {"query": "select:SendMessage", "max_results": 1}
    send: Value = {"to": ADDRESS_WORD, "summary": "answer", "message": text}
    steps: list[Value] = [
        {"tool": "ToolSearch", "input": load},
        {"tool": "SendMessage", "input": send},
        {"text": "answered"},
    ]
    return f"%%{json.dumps(steps)}%%"
