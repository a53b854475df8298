"""What a transcript proves about dialogs where the published status cannot be read (M 4.5, D24).

Pure over the last lines. Anything doubtful proves nothing: then the dialog counts as open.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from tidings.domain.interaction.dialogs import Act, Mark
from tidings.domain.interaction.harness_events import QUESTION_TOOLS
from tidings.domain.interaction.input_digest import digest_input
from tidings.ports.codec import Codec, Document, DocumentUnreadable, Value
from tidings.ports.values import dataclass

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """The result of one tool use: which call it answers, and when the line was written (wall)."""

    tool: str
    input_digest: str
    at_ns: int


def proves_closed(openings: Sequence[Mark], lines: Sequence[bytes], codec: Codec) -> bool:
    """Whether the tail shows every one of ``openings`` answered or its turn ended, each later.

    A subagent's dialog is never proved here: its lines are in another file. A form and an unnamed
    dialog have no tool use, so only the end of the turn proves them.
    """
    documents = _decode(lines, codec)
    if documents is None or any(mark.key.agent for mark in openings):
        return False
    newest = max((mark.seen_at_ns for mark in openings), default=0)
    if turn_ended_after(documents, newest):
        return True
    answers = tool_answers(documents)
    return all(_answered(mark, openings, answers) for mark in openings)


def turn_ended_after(documents: Sequence[Document], instant_ns: int) -> bool:
    """M 4.5: a ``turn_duration`` strictly after ``instant_ns`` (wall), and no later tool use."""
    at = max((i for i, line in enumerate(documents) if _is_turn_end(line)), default=None)
    if at is None:
        return False
    ended_ns = _written_at_ns(documents[at])
    used_later = any(_uses_tool(line) for line in documents[at + 1 :])
    return ended_ns is not None and ended_ns > instant_ns and not used_later


def tool_answers(documents: Iterable[Document]) -> list[ToolAnswer]:
    """Every tool result whose own tool use is in the tail too, joined by ``tool_use_id``."""
    uses: dict[str, tuple[str, str]] = {}
    answers: list[ToolAnswer] = []
    for line in documents:
        for item in _items(line):
            match item:
                case {"type": "tool_use", "id": str(use), "name": str(tool), "input": given}:
                    uses[use] = (tool, digest_input(given))
                case {"type": "tool_result", "tool_use_id": str(use)} if use in uses:
                    at_ns = _written_at_ns(line)
                    tool, digest = uses[use]
                    answers += [ToolAnswer(tool=tool, input_digest=digest, at_ns=at_ns or 0)]
                case _:
                    pass
    return answers


def _answered(mark: Mark, openings: Sequence[Mark], answers: Sequence[ToolAnswer]) -> bool:
    """As many results after the newest opening of this key as there are openings of it."""
    if mark.act not in (Act.OPEN, Act.OPEN_ONCE):
        return False
    alike = [other for other in openings if other.key == mark.key]
    newest = max(other.seen_at_ns for other in alike)
    later = [answer for answer in answers if answer.at_ns > newest and _answers(answer, mark)]
    return len(later) >= len(alike)


def _answers(answer: ToolAnswer, mark: Mark) -> bool:
    if answer.tool != mark.key.what:
        return False
    return answer.tool in QUESTION_TOOLS or answer.input_digest == mark.key.detail


def _decode(lines: Iterable[bytes], codec: Codec) -> list[Document] | None:
    try:
        return [codec.decode(line) for line in lines if line.strip()]
    except DocumentUnreadable:
        return None


def _is_turn_end(line: Document) -> bool:
    return line.get("type") == "system" and line.get("subtype") == "turn_duration"


def _uses_tool(line: Document) -> bool:
    """An assistant's message that cannot be read counts as a tool use; plain text does not."""
    if line.get("type") != "assistant":
        return False
    match line.get("message"):
        case {"content": str()}:
            return False
        case {"content": [*items]}:
            return not all(isinstance(i, dict) and i.get("type") != "tool_use" for i in items)
        case _:
            return True


def _items(line: Document) -> list[Value]:
    match line.get("message"):
        case {"content": [*items]} if line.get("type") in ("assistant", "user"):
            return items
        case _:
            return []


def _written_at_ns(line: Document) -> int | None:
    """The line's own timestamp (RFC 3339 with a zone) in wall nanoseconds; None without one."""
    text = line.get("timestamp")
    try:
        at = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    if at is None or at.tzinfo is None:
        return None
    return (at - _EPOCH) // _MICROSECOND * 1000
