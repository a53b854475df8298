"""The service that judges whether a session is free to hear (promise P7, D23, D24)."""

from collections.abc import Callable

from tidings.domain.interaction import harness_events as table
from tidings.domain.interaction.folding import EventFold, PromptListener
from tidings.domain.interaction.freedom import AwaitsOperator, Free, Freedom
from tidings.domain.interaction.freshness import AskAgain, Confirmed, weigh_looks
from tidings.domain.interaction.state import InteractionState
from tidings.domain.interaction.transcript import proves_closed
from tidings.ports.codec import Codec
from tidings.ports.errors import StateUnreadable, StoreLocked, StoreMalformed
from tidings.ports.harness_status import HarnessStatus, StatusFact, StatusSeen, StatusUnreadable
from tidings.ports.messages import MessageStore
from tidings.ports.spool import EventSpool
from tidings.ports.tokens import StatusWord
from tidings.ports.transcripts import TailRead, Transcripts


class Observer:
    """Folds spools into the store, and answers whether a dialog is open.

    It remembers the first of the two looks that D24 asks for, and never waits for the second:
    the caller asks again, 0.5 s later or more. One observer serves one thread.
    """

    def __init__(
        self,
        *,
        store: MessageStore,
        spool: EventSpool,
        status: HarnessStatus,
        transcripts: Transcripts,
        codec: Codec,
        on_prompts: PromptListener,
    ) -> None:
        self._events = EventFold(store=store, spool=spool, codec=codec, on_prompts=on_prompts)
        self._status = status
        self._transcripts = transcripts
        self._codec = codec
        self._first_looks: dict[str, StatusSeen] = {}

    def state(self, session_key: str) -> InteractionState:
        """What is known of the session, unfolded events included, without a write.

        Raises ``StateUnreadable`` where rows or spool cannot be read.
        """
        return self._events.state(session_key)

    def fold(self, session_key: str) -> InteractionState:
        """Moves what is new in the spool into the store, state and offset in one transaction.

        Tells ``on_prompts`` of each new prompt in it, exactly once. Raises ``StateUnreadable``
        and the store's errors; then nothing was moved.
        """
        return self._events.fold(session_key)

    def freedom(self, session_key: str, owner_pid: int) -> Freedom:
        """Whether the session is free to hear, asking the client itself where that decides (D24).

        May run the client's own command for up to 5 s, so hold no lock; ``glimpse`` is for that.
        Where the status proves that every dialog ended, that is written down for all readers.
        """
        state = self._readable_state(session_key)
        if isinstance(state, AwaitsOperator):
            return state
        for ask in (self._status.glance, self._status.confirm):
            look = self._look(state, owner_pid, ask)
            decided = _by_status(look, state)
            if decided is not None:
                self._first_looks.pop(session_key, None)
                return decided if ask == self._status.glance else _by_supported_view(decided)
        if isinstance(look, StatusSeen):
            return self._weighed(session_key, state, look)
        return self._by_events(state)

    def glimpse(self, session_key: str, owner_pid: int) -> Freedom:
        """``freedom`` from files alone: starts no process and changes nothing.

        For the last look under the delivery lock (D16). A dialog whose end only the client could
        confirm still counts as open.
        """
        state = self._readable_state(session_key)
        if isinstance(state, AwaitsOperator):
            return state
        look = self._look(state, owner_pid, self._status.glance)
        decided = _by_status(look, state)
        if decided is not None:
            return decided
        return _awaits(state) if isinstance(look, StatusSeen) else self._by_events(state)

    def _readable_state(self, session_key: str) -> InteractionState | AwaitsOperator:
        """A spool that cannot be read may hold an opening: doubt holds. The store's errors stay errors."""
        try:
            return self._events.state(session_key)
        except (StoreLocked, StoreMalformed):
            raise
        except StateUnreadable as error:
            return AwaitsOperator(why=f"what its hooks told cannot be read: {error.text}")

    def _look(
        self, state: InteractionState, pid: int, ask: Callable[[int], StatusFact]
    ) -> StatusFact:
        if state.client == table.CODEX:
            return StatusUnreadable(why="codex publishes no status in a file")
        return ask(pid)

    def _weighed(self, key: str, state: InteractionState, look: StatusSeen) -> Freedom:
        first = self._first_looks.pop(key, None)
        newest_ns = state.dialogs.newest_opening_ns
        match weigh_looks(first, look, newest_opening_ns=newest_ns):
            case AskAgain(first=remembered):
                if remembered is not None:
                    self._first_looks[key] = remembered
                return _awaits(state)
            case Confirmed(before_ns=before_ns):
                after = self._events.change(key, lambda now: now.cleared_before(before_ns))
                return _awaits(after) if after.dialogs.open else _by_supported_view(_free(look))

    def _by_events(self, state: InteractionState) -> Freedom:
        """The status cannot be read: events decide, and what the transcript proves (D24, M 4.5)."""
        openings = state.dialogs.open
        if not openings:
            return Free(idle=None)
        tail = self._transcripts.tail(state.transcript_path) if state.transcript_path else None
        if isinstance(tail, TailRead) and proves_closed(openings, tail.lines, self._codec):
            return Free(idle=None)
        return _awaits(state)


def _by_status(fact: StatusFact, state: InteractionState) -> Freedom | None:
    """What one look decides: waiting blocks whatever events say, and an empty set needs no more."""
    match fact:
        case StatusSeen(word=StatusWord.WAITING, waiting_for=what):
            return AwaitsOperator(why=f"the client waits for its operator ({what or 'a dialog'})")
        case StatusSeen() if not state.dialogs.open:
            return _free(fact)
        case StatusSeen() | StatusUnreadable():
            return None


def _by_supported_view(freedom: Freedom) -> Freedom:
    """The supported view says ``busy`` of every session with a plugin monitor, turn or no turn
    (measured, conformance): it tells of dialogs, never that a turn is running."""
    return Free(idle=None) if freedom == Free(idle=False) else freedom


def _free(look: StatusSeen) -> Free:
    return Free(idle=look.word is StatusWord.IDLE)


def _awaits(state: InteractionState) -> AwaitsOperator:
    what = state.dialogs.open[-1].key.what if state.dialogs.open else "a dialog"
    return AwaitsOperator(why=f"its operator is asked: {what}")
