"""Hook payloads and events for tests: recorded ones, and small ones of the recorded shapes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.interaction.condense import condense
from tidings.domain.interaction.events import HookEvent, read_event
from tidings.ports.codec import Document, Value

PAYLOADS = Path(__file__).parents[1] / "fixtures" / "payloads"
TICK_NS = 10_000_000
WALL_NS = 1_800_000_000_000_000_000
SESSION = "b098b28d-3138-4edf-9b7a-9a83396a52e7"


@cache
def recorded(client: str) -> tuple[Document, ...]:
    """Every recorded hook of ``claude`` or ``codex``: scenario, event, stdin, environment, parents."""
    return _lines(f"{client}-hooks.jsonl")


@cache
def recorded_order() -> tuple[Document, ...]:
    """The recorded scenarios: names and seconds of their events."""
    return _lines("event-order.jsonl")


def _lines(name: str) -> tuple[Document, ...]:
    lines = (PAYLOADS / name).read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def payload(event: str, **fields: Value) -> Document:
    """A payload of the recorded shape, with ``fields`` beside the common ones."""
    common: Document = {
        "session_id": SESSION,
        "transcript_path": "/t/b098b28d.jsonl",
        "cwd": "/home/proj",
        "permission_mode": "default",
    }
    return common | {"hook_event_name": event} | fields


def record(document: Document, *, tick: int, client: str = "claude") -> Document | None:
    """What the hook would leave of ``document``, started at kernel tick ``tick``."""
    start_ns = tick * TICK_NS
    return condense(client, document, started_at_ns=start_ns, at_ns=WALL_NS + start_ns)


def line(document: Document, *, tick: int, client: str = "claude") -> bytes:
    """The spool line of an event that is not quiet, line break included."""
    kept = record(document, tick=tick, client=client)
    assert kept is not None, "a quiet event leaves no line"
    return JsonCodec().encode(kept) + b"\n"


def event(document: Document, *, tick: int, client: str = "claude") -> HookEvent:
    """The event as the fold reads it."""
    read = read_event(line(document, tick=tick, client=client), JsonCodec())
    assert isinstance(read, HookEvent)
    return read


def tool(name: str, command: str = "ls", **fields: Value) -> Document:
    """A Bash tool event as recorded."""
    return payload(name, tool_name="Bash", tool_input={"command": command}, **fields)


def question(name: str, **fields: Value) -> Document:
    """An AskUserQuestion event; the answer grows its input, as recorded."""
    asked: Document = {"questions": [{"question": "Which colour?"}]}
    if name == "PostToolUse":
        asked["answers"] = {"Which colour?": "Red"}
    return payload(name, tool_name="AskUserQuestion", tool_input=asked, **fields)
