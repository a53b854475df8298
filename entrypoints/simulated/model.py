"""What the model was asked: one line per request, so that a test can say "exactly once"."""

import time
from collections.abc import Sequence

from tidings.entrypoints.simulated.files import append_line
from tidings.entrypoints.simulated.state import HarnessState
from tidings.ports.codec import Document, Value
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMessage:
    """One new message of a request; ``kind`` says what it is: human, peer, system or tool."""

    role: str
    kind: str
    content: str


class ModelLog:
    """Writes each request with the messages that are new in it."""

    def __init__(self, state: HarnessState) -> None:
        self._state = state

    def request(self, messages: Sequence[ModelMessage]) -> int:
        """Logs one request and returns its number in this process, from 1."""
        number = self._state.count("requests")
        rows: list[Value] = [_row(message) for message in messages]
        append_line(
            self._state.places.model_requests,
            {
                "request": number,
                "at_ns": time.time_ns(),
                "session_id": self._state.session_id,
                "prompt_id": self._state.prompt_id,
                "messages": rows,
            },
        )
        return number


def _row(message: ModelMessage) -> Document:
    return {"role": message.role, "kind": message.kind, "content": message.content}
