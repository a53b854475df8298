"""What a session's hooks told so far, folded into one value (D11, D23)."""

from collections.abc import Iterable

from tidings.domain.documents import Fields, FieldWrong
from tidings.domain.interaction import harness_events as table
from tidings.domain.interaction.dialogs import (
    NO_DIALOGS,
    Act,
    DialogKey,
    DialogSet,
    Mark,
    parse_dialogs,
)
from tidings.domain.interaction.events import HookEvent, UnreadableEvent
from tidings.domain.interaction.marking import UNREAD, mark_of
from tidings.domain.interaction.modes import OPEN_MODES
from tidings.ports.codec import Document, ReadOnlyDocument
from tidings.ports.errors import StoreMalformed
from tidings.ports.values import dataclass, replace

STATE_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractionState:
    """One session's dialogs and its current conversation.

    ``begun_ns``, ``ended_ns`` and ``newest_ns`` are starts of hook processes (boot clock, 0 is
    never); ``last_event_at_ns`` is wall time, for people. ``conversation_id`` and
    ``transcript_path`` are empty until an event named them; ``ended_conversation`` is the one that
    the newest end named. ``mode`` is the permission mode that the main agent's newest event said;
    empty until one did.
    """

    client: str = ""
    conversation_id: str = ""
    transcript_path: str = ""
    begun_ns: int = 0
    ended_conversation: str = ""
    ended_ns: int = 0
    last_event: str = ""
    last_event_at_ns: int = 0
    newest_ns: int = 0
    mode: str = ""
    dialogs: DialogSet = NO_DIALOGS

    @property
    def ended(self) -> bool:
        """Whether the conversation known here ended and none began in this process since.

        Ends of conversations that are not known here are ignored (H 9).
        """
        if not self.conversation_id or self.conversation_id != self.ended_conversation:
            return False
        return self.ended_ns > self.begun_ns

    @property
    def lets_outsiders_in(self) -> bool:
        """Whether the client gives its model the frames of processes that are no child of its own.

        Not to know the mode is a no (D12).
        """
        return self.mode in OPEN_MODES

    @property
    def waits_since_ns(self) -> int | None:
        """Wall time of the oldest opening that still stands; None without one."""
        return min((mark.seen_at_ns for mark in self.dialogs.open), default=None)

    def after(self, events: Iterable[HookEvent | UnreadableEvent]) -> "InteractionState":
        """The state once ``events`` are known too, whatever order they came in."""
        told = list(events)
        read = [event for event in told if isinstance(event, HookEvent)]
        state = self
        for event in sorted(read, key=lambda event: event.started_at_ns):
            state = state._with(event)
        marks = [mark for mark in map(mark_of, read) if mark]
        marks += [state._doubt()] * (len(told) - len(read))
        return replace(state, dialogs=self.dialogs.with_marks(marks))

    def cleared_before(self, at_ns: int) -> "InteractionState":
        """Every dialog that opened before ``at_ns`` is over, by a word better than events."""
        mark = Mark(at_ns=at_ns, act=Act.CLOSE_ALL)
        return replace(self, dialogs=self.dialogs.with_marks((mark,)))

    def to_document(self) -> Document:
        """For the store; ``parse_state`` reads it back."""
        return {
            "v": STATE_VERSION,
            "client": self.client,
            "conversation_id": self.conversation_id,
            "transcript_path": self.transcript_path,
            "begun_ns": self.begun_ns,
            "ended_conversation": self.ended_conversation,
            "ended_ns": self.ended_ns,
            "last_event": self.last_event,
            "last_event_at_ns": self.last_event_at_ns,
            "newest_ns": self.newest_ns,
            "mode": self.mode,
            "dialogs": self.dialogs.to_document(),
        }

    def _with(self, event: HookEvent) -> "InteractionState":
        state = self._begun(event) if event.effect == table.BEGINS else self._met(event)
        state = state._ended_by(event) if event.effect == table.ENDS else state
        if event.started_at_ns < self.newest_ns:
            return state
        return replace(
            state,
            client=event.client,
            last_event=event.name,
            last_event_at_ns=event.at_ns,
            newest_ns=event.started_at_ns,
            mode=event.mode if event.mode and not event.agent else state.mode,
        )

    def _begun(self, event: HookEvent) -> "InteractionState":
        """A start that is older than the conversation we know lost a race and changes nothing."""
        if event.started_at_ns < self.begun_ns or not event.session_id:
            return self
        return replace(
            self,
            conversation_id=event.session_id,
            transcript_path=event.transcript_path,
            begun_ns=event.started_at_ns,
        )

    def _met(self, event: HookEvent) -> "InteractionState":
        """A session adopted in the middle is first met in some other event (D1); an end is no meeting."""
        if event.effect == table.ENDS or not event.session_id:
            return self
        if self.conversation_id not in ("", event.session_id):
            return self
        path = event.transcript_path or self.transcript_path
        return replace(self, conversation_id=event.session_id, transcript_path=path)

    def _ended_by(self, event: HookEvent) -> "InteractionState":
        """A change of conversation ends no session: the process lives on (H 2)."""
        if event.word in table.CHANGES_OF_CONVERSATION or event.started_at_ns < self.ended_ns:
            return self
        ended = event.session_id
        return replace(self, ended_conversation=ended, ended_ns=event.started_at_ns)

    def _doubt(self) -> Mark:
        """A line that cannot be read may have been an opening, as new as anything known."""
        key = DialogKey(what=UNREAD)
        return Mark(at_ns=self.newest_ns, act=Act.OPEN, key=key, seen_at_ns=self.last_event_at_ns)


def parse_state(document: ReadOnlyDocument) -> InteractionState:
    """The state in a stored row. Raises ``StoreMalformed`` for anything else."""
    fields = Fields(document=document, path="interaction.")
    try:
        fields.version(STATE_VERSION)
        return InteractionState(
            client=fields.text("client"),
            conversation_id=fields.text("conversation_id"),
            transcript_path=fields.text("transcript_path"),
            begun_ns=fields.integer("begun_ns", least=0),
            ended_conversation=fields.text("ended_conversation"),
            ended_ns=fields.integer("ended_ns", least=0),
            last_event=fields.text("last_event"),
            last_event_at_ns=fields.integer("last_event_at_ns", least=0),
            newest_ns=fields.integer("newest_ns", least=0),
            mode=fields.text("mode", default=""),
            dialogs=parse_dialogs(fields.section("dialogs")),
        )
    except FieldWrong as error:
        raise StoreMalformed(f"a session's interaction does not read: {error}") from error
