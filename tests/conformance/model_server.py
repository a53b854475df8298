"""A pretended Messages API on loopback: what a real client talks to instead of a model (H 0, H 1)."""

import json
import threading
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from conformance.model_answers import answer_message, stream_events
from conformance.model_script import Step, message_text, next_step
from conformance.plain import document, items, parsed
from tidings.ports.codec import Document

SIDE_ANSWER = Step(text="side answer")
SESSION_HEADER = "x-claude-code-session-id"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One question to the model, as the client asked it."""

    number: int
    session_id: str
    messages: tuple[Document, ...]

    @property
    def fresh_text(self) -> str:
        """The text of what came after the model's last answer: what this question is about."""
        roles = [message.get("role") for message in self.messages]
        start = len(roles) - roles[::-1].index("assistant") if "assistant" in roles else 0
        return "\n".join(message_text(message) for message in self.messages[start:])

    @property
    def whole_text(self) -> str:
        """The text of the conversation so far."""
        return "\n".join(message_text(message) for message in self.messages)


class ModelServer:
    """The server on its own threads, from ``with`` to the end of the block."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._count = 0
        self._questions: list[ModelRequest] = []
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self.closing = threading.Event()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def url(self) -> str:
        """Where the client finds the model."""
        return f"http://127.0.0.1:{self._http.server_port}"

    def requests(self) -> int:
        """How many requests for an answer came in all, titles and summaries included."""
        with self._lock:
            return self._count

    def questions(self) -> tuple[ModelRequest, ...]:
        """Every question that came with tools, so far: titles and summaries have none (H 0)."""
        with self._lock:
            return tuple(self._questions)

    def reach(self, text: str, *, session_id: str = "") -> Document:
        """How far ``text`` came: questions that brought it, and its copies in the newest one.

        With ``session_id`` only the questions of that conversation count.
        """
        asked = self.questions()
        questions = [each for each in asked if session_id in ("", each.session_id)]
        return {
            "brought_by": sum(text in question.fresh_text for question in questions),
            "copies": questions[-1].whole_text.count(text) if questions else 0,
        }

    def answer(self, method: str, path: str, body: Document, session_id: str) -> tuple[int, Step]:
        """Logs one request; the number it got and the step that answers it."""
        messages = tuple(document(message) for message in items(body.get("messages")))
        with self._lock:
            self._count += 1
            number = self._count
            self._write({"n": number, "method": method, "path": path, "body": body})
            if not items(body.get("tools")):
                return number, SIDE_ANSWER
            question = ModelRequest(number=number, session_id=session_id, messages=messages)
            self._questions.append(question)
        return number, next_step(messages) or Step(text=f"ack {number}")

    def _write(self, line: Document) -> None:
        with self._log.open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(line) + "\n")


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: ModelServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the requests are in the log."""

    def do_HEAD(self) -> None:
        self._send_json(200, {})

    def do_GET(self) -> None:
        self._send_json(404, _fault("not_found_error"))

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = document(parsed(self.rfile.read(length)))
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._send_json(200, {"input_tokens": 1000})
        elif path.endswith("/v1/messages"):
            self._send_answer(body)
        else:
            self._send_json(404, _fault("not_found_error"))

    def _send_answer(self, body: Document) -> None:
        model = cast(_Http, self.server).model
        session_id = self.headers.get(SESSION_HEADER) or ""
        number, step = model.answer(self.command, self.path, body, session_id)
        model.closing.wait(step.delay_seconds)
        if step.http_status != 200:
            self._send_json(step.http_status, _fault(step.error))
        elif body.get("stream"):
            self._send_stream(answer_message(step, number))
        else:
            self._send_json(200, answer_message(step, number))

    def _send_json(self, status: int, body: Document) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.send_header("x-should-retry", "false")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_stream(self, message: Document) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        with suppress(BrokenPipeError, ConnectionResetError):
            for event in stream_events(message):
                data = json.dumps(event)
                self.wfile.write(f"event: {event['type']}\ndata: {data}\n\n".encode())


def _fault(kind: str) -> Document:
    return {"type": "error", "error": {"type": kind, "message": "pretended failure"}}
