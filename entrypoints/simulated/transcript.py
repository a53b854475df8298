"""The conversation's transcript: one JSON line per thing said or done, in the client's shapes."""

from datetime import UTC, datetime
from typing import Final

from tidings.entrypoints.simulated.files import append_line
from tidings.entrypoints.simulated.payloads import ToolCall
from tidings.entrypoints.simulated.state import HarnessState, new_id, now_ms
from tidings.ports.codec import Document, Value

REJECTED: Final = "User rejected tool use"
INTERRUPTED: Final = "[Request interrupted by user for tool use]"
_MODEL: Final = "simulated-model"


class Transcript:
    """Appends to the current conversation's file; ``/clear`` moves on to another one."""

    def __init__(self, state: HarnessState) -> None:
        self._state = state

    def user_text(self, text: str) -> None:
        self._append("user", message={"role": "user", "content": text})

    def assistant_text(self, text: str) -> None:
        self._assistant({"type": "text", "text": text})

    def tool_use(self, tool: ToolCall) -> None:
        self._assistant(
            {
                "type": "tool_use",
                "id": tool.tool_use_id,
                "name": tool.tool,
                "input": tool.tool_input,
            }
        )

    def tool_result(self, tool: ToolCall, text: str, *, is_error: bool = False) -> None:
        self._result(tool, text, is_error=is_error, said=f"Error: {text}" if is_error else text)

    def rejected(self, tool: ToolCall) -> None:
        """The two lines a denied dialog leaves behind, within milliseconds (H 9)."""
        text = "The user does not want this tool use to go on."
        self._result(tool, text, is_error=True, said=REJECTED)
        self._append(
            "user",
            message={"role": "user", "content": [{"type": "text", "text": INTERRUPTED}]},
        )

    def turn_ended(self, duration_ms: int) -> None:
        """The two system lines of a normal end; a denial and Esc write neither (H 9)."""
        self._append(
            "system", subtype="stop_hook_summary", hookCount=1, preventedContinuation=False
        )
        self._append("system", subtype="turn_duration", durationMs=duration_ms, isMeta=False)

    def refused(self, text: str) -> None:
        """A prompt that a hook refused never becomes a user line."""
        self._append("system", subtype="informational", content=text, level="warning")

    def _result(self, tool: ToolCall, text: str, *, is_error: bool, said: str) -> None:
        result: Document = {
            "type": "tool_result",
            "tool_use_id": tool.tool_use_id,
            "content": text,
            "is_error": is_error,
        }
        self._append("user", message={"role": "user", "content": [result]}, toolUseResult=said)

    def _assistant(self, part: Value) -> None:
        message: Document = {
            "id": f"msg_{new_id()}",
            "type": "message",
            "role": "assistant",
            "model": _MODEL,
            "content": [part],
        }
        self._append("assistant", message=message)

    def _append(self, kind: str, **fields: Value) -> None:
        line: Document = {
            "parentUuid": None,
            "isSidechain": False,
            "userType": "external",
            "cwd": self._state.options.cwd,
            "sessionId": self._state.session_id,
            "version": self._state.options.version,
            "type": kind,
            **fields,
            "uuid": new_id(),
            "timestamp": _timestamp(),
        }
        append_line(self._state.transcript_path, line)


def _timestamp() -> str:
    at = datetime.fromtimestamp(now_ms() / 1000, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
