"""One line of the spool as a value, read strictly; the writer's side is ``condense``."""

from tidings.domain.documents import Fields, FieldWrong
from tidings.domain.interaction import harness_events as table
from tidings.domain.interaction.condense import RECORD_VERSION
from tidings.domain.interaction.prompts import PromptSeen
from tidings.ports.codec import Codec, DocumentUnreadable, ReadOnlyDocument
from tidings.ports.values import dataclass

LONGEST_TEXT_BYTES = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class HookEvent:
    """What one hook told. ``started_at_ns`` orders events (boot clock), ``at_ns`` is wall time.

    ``cut`` means that the payload was not read whole: names may be missing.
    """

    name: str
    client: str
    session_id: str
    started_at_ns: int
    at_ns: int
    agent: str = ""
    mode: str = ""
    tool: str = ""
    input_digest: str = ""
    server: str = ""
    turn: str = ""
    word: str = ""
    transcript_path: str = ""
    prompt: PromptSeen | None = None
    cut: bool = False

    @property
    def effect(self) -> str:
        """What this event does, by the tables of ``harness_events``."""
        return table.effect_of(self.client, self.name, tool=self.tool, notice=self.word)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadableEvent:
    """A line that is no record: torn by a full disk, or written by a version we do not know.

    It may have been an opening, so it counts as one (fail closed).
    """

    why: str


def read_event(line: bytes, codec: Codec) -> HookEvent | UnreadableEvent:
    """The event in one line of the spool; never raises."""
    try:
        return _parse(codec.decode(line))
    except (DocumentUnreadable, FieldWrong) as error:
        return UnreadableEvent(why=str(error))


def _parse(document: ReadOnlyDocument) -> HookEvent:
    fields = Fields(document=document)
    fields.version(RECORD_VERSION)
    return HookEvent(
        name=_name(fields, "event"),
        client=_name(fields, "client"),
        session_id=_name(fields, "session", default=""),
        started_at_ns=fields.integer("start", least=0),
        at_ns=fields.integer("at", least=0),
        agent=_name(fields, "agent", default=""),
        mode=_name(fields, "mode", default=""),
        tool=_name(fields, "tool", default=""),
        input_digest=_name(fields, "input", default=""),
        server=_name(fields, "server", default=""),
        turn=_name(fields, "turn", default=""),
        word=_name(fields, "word", default=""),
        transcript_path=_name(fields, "path", default=""),
        prompt=_prompt(fields),
        cut=fields.flag("cut"),
    )


def _name(fields: Fields, name: str, *, default: str | None = None) -> str:
    return fields.text(name, default=default, longest_bytes=LONGEST_TEXT_BYTES)


def _prompt(fields: Fields) -> PromptSeen | None:
    digests = fields.texts("digests")
    if digests is None:
        return None
    return PromptSeen(refs=fields.texts("refs") or (), digests=digests)
