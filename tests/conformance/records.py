"""What a real client tells of itself: to our recording hook, and in its own session record."""

from dataclasses import dataclass
from pathlib import Path

from conformance.plain import document, number_of, read_document, read_lines, text_of
from tidings.ports.codec import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class HookCall:
    """One call of our recording hook."""

    event: str
    payload: Document
    environment: Document

    @property
    def prompt(self) -> str:
        """The text of a UserPromptSubmit; empty for every other event."""
        return text_of(self.payload.get("prompt"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSession:
    """What the client publishes in its own session record (H 3)."""

    pid: int
    session_id: str
    socket_path: str
    status: str


def read_hook_calls(path: Path) -> list[HookCall]:
    """The calls in the recorder's log, in the order of its lines."""
    return [_hook_call(line) for line in read_lines(path)]


def _hook_call(line: Document) -> HookCall:
    payload = document(line.get("payload"))
    return HookCall(
        event=text_of(payload.get("hook_event_name")),
        payload=payload,
        environment=document(line.get("environment")),
    )


def read_session(path: Path) -> PublishedSession | None:
    """The session in a client's record; None where there is none (or half of one)."""
    record = read_document(path)
    if not record:
        return None
    return PublishedSession(
        pid=number_of(record.get("pid")),
        session_id=text_of(record.get("sessionId")),
        socket_path=text_of(record.get("messagingSocketPath")),
        status=text_of(record.get("status")),
    )
