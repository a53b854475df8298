"""What the simulated model does in one turn: steps as values, and their JSON form."""

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeAlias

from tidings.entrypoints.simulated.plain import as_object, as_text
from tidings.ports.codec import Document, Value


class ScriptUnreadable(ValueError):
    """A step that is none of ours; the text says what was met."""


def _empty() -> Document:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Think:
    """The model call runs for ``seconds``, or until told to go on where that is None."""

    word: ClassVar[str] = "think"
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UseTool:
    """One tool call. It lasts ``seconds`` (None: until told to go on).

    ``asks`` opens a permission dialog first. ``runs`` really runs ``tool_input["command"]`` as a
    child of the harness. ``error`` makes the tool fail with that text.
    """

    word: ClassVar[str] = "tool"
    tool: str = "Bash"
    tool_input: Document = field(default_factory=_empty)
    asks: bool = False
    runs: bool = False
    seconds: float | None = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOperator:
    """The model asks its operator (AskUserQuestion)."""

    word: ClassVar[str] = "ask"
    question: str = "Which colour?"
    options: tuple[str, ...] = ("Red", "Blue")


@dataclass(frozen=True, slots=True, kw_only=True)
class Elicit:
    """A tool of an MCP server asks the operator to fill in a form."""

    word: ClassVar[str] = "elicit"
    server: str = "elic"
    message: str = "Your name?"


@dataclass(frozen=True, slots=True, kw_only=True)
class SendText:
    """The client's own SendMessage; empty ``to`` answers the last frame's ``from`` (H 10)."""

    word: ClassVar[str] = "send"
    text: str = ""
    to: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegate:
    """A subagent in the background that makes one tool call and may ask for permission (H 11)."""

    word: ClassVar[str] = "delegate"
    tool: str = "Bash"
    tool_input: Document = field(default_factory=_empty)
    asks: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FailCall:
    """The model's API answers with an error: the turn ends without a Stop (H 2)."""

    word: ClassVar[str] = "fail"
    error: str = "server_error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """Text of the model; the last one is what the turn ends with."""

    word: ClassVar[str] = "say"
    text: str = ""


Step: TypeAlias = Think | UseTool | AskOperator | Elicit | SendText | Delegate | FailCall | Say

_STEPS: dict[str, type[Step]] = {
    step.word: step
    for step in (Think, UseTool, AskOperator, Elicit, SendText, Delegate, FailCall, Say)
}


def to_document(step: Step) -> Document:
    """The step as one JSON object: its word under ``step``, then its fields."""
    names = [field.name for field in fields(step)]
    return {"step": step.word, **{name: _plain(getattr(step, name)) for name in names}}


def parse_steps(value: Value) -> tuple[Step, ...]:
    """The steps of a JSON array. Raises ``ScriptUnreadable`` for anything else."""
    if not isinstance(value, list):
        raise ScriptUnreadable("steps are no array")
    return tuple(_parse(as_object(item)) for item in value)


def _parse(document: Document) -> Step:
    word = as_text(document.get("step"))
    kind = _STEPS.get(word)
    if kind is None:
        raise ScriptUnreadable(f"no such step: {word or document}")
    given: dict[str, Any] = {name: _held(document[name]) for name in document if name != "step"}
    try:
        return kind(**given)
    except TypeError as error:
        raise ScriptUnreadable(str(error)) from None


def _plain(value: "Value | tuple[str, ...]") -> Value:
    return [*value] if isinstance(value, tuple) else value


def _held(value: Value) -> object:
    return tuple(value) if isinstance(value, list) else value
