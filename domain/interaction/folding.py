"""Moving what hooks told from the spool into the store (D11)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeAlias

from tidings.domain.interaction.events import HookEvent, UnreadableEvent, read_event
from tidings.domain.interaction.prompts import PromptSeen
from tidings.domain.interaction.state import InteractionState, parse_state
from tidings.ports.codec import Codec
from tidings.ports.errors import StoreLocked
from tidings.ports.interactions import InteractionRow
from tidings.ports.messages import MessageStore, StoreTransaction
from tidings.ports.spool import EventSpool
from tidings.ports.values import dataclass

FOLD_WAIT_SECONDS = 2.0
FOLD_TRIES = 8
"""How often a fold that lost the race to another one reads again before it gives up."""

Change: TypeAlias = Callable[[InteractionState], InteractionState]


class PromptListener(Protocol):
    """Told of every prompt inside the transaction that folds it; ``at_ns`` is wall time."""

    def __call__(
        self,
        tx: StoreTransaction,
        /,
        *,
        session_key: str,
        prompts: Sequence[PromptSeen],
        at_ns: int,
    ) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """What was read of one spool: from the row's offset to ``end``, both in bytes."""

    key: str
    offset: int
    end: int
    events: Sequence[HookEvent | UnreadableEvent]


class EventFold:
    """Reads spools and folds them; state and offset move in one transaction, or not at all."""

    def __init__(
        self, *, store: MessageStore, spool: EventSpool, codec: Codec, on_prompts: PromptListener
    ) -> None:
        self._store = store
        self._spool = spool
        self._codec = codec
        self._on_prompts = on_prompts

    def state(self, session_key: str) -> InteractionState:
        """Rows and unfolded spool together, without a write. Raises ``StateUnreadable``."""
        row = self._store.view(lambda tx: tx.interaction(session_key))
        return _state(row).after(self._batch(session_key, row).events)

    def fold(self, session_key: str) -> InteractionState:
        """Moves what is new; writes nothing where nothing is. Raises ``StateUnreadable``."""
        row = self._store.view(lambda tx: tx.interaction(session_key))
        if not self._batch(session_key, row).events:
            return _state(row)
        return self.change(session_key, lambda state: state)

    def change(self, session_key: str, change: Change) -> InteractionState:
        """Folds what is new and applies ``change`` to the result in the same transaction."""
        for _attempt in range(FOLD_TRIES):
            row = self._store.view(lambda tx: tx.interaction(session_key))
            batch = self._batch(session_key, row)
            work = partial(self._commit, batch=batch, change=change)
            folded = self._store.transact(work, wait_seconds=FOLD_WAIT_SECONDS)
            if folded is not None:
                return folded
        raise StoreLocked(f"others folded the events of session {session_key} all the time")

    def _batch(self, key: str, row: InteractionRow | None) -> _Batch:
        read = self._spool.read(key, offset=_offset(row))
        events = [read_event(line, self._codec) for line in read.lines]
        return _Batch(key=key, offset=_offset(row), end=read.offset, events=events)

    def _commit(
        self, tx: StoreTransaction, batch: _Batch, change: Change
    ) -> InteractionState | None:
        """None where another fold moved the offset since the spool was read."""
        row = tx.interaction(batch.key)
        if _offset(row) != batch.offset:
            return None
        state = change(_state(row).after(batch.events))
        document = state.to_document()
        tx.put_interaction(
            InteractionRow(session_key=batch.key, state=document, spool_offset=batch.end)
        )
        self._tell(tx, batch)
        return state

    def _tell(self, tx: StoreTransaction, batch: _Batch) -> None:
        for event in batch.events:
            if isinstance(event, HookEvent) and event.prompt is not None:
                prompts = (event.prompt,)
                self._on_prompts(tx, session_key=batch.key, prompts=prompts, at_ns=event.at_ns)


def _offset(row: InteractionRow | None) -> int:
    return row.spool_offset if row else 0


def _state(row: InteractionRow | None) -> InteractionState:
    return parse_state(row.state) if row else InteractionState()
