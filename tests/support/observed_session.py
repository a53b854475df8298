"""One session on a pretended machine, its hooks and an observer of it."""

from __future__ import annotations

from collections.abc import Sequence

from support.hook_events import TICK_NS, line
from tidings.adapters.memory.clock import ManualClock
from tidings.adapters.memory.harness_status import MemoryHarnessStatus
from tidings.adapters.memory.messages import MemoryMessageStore
from tidings.adapters.memory.spool import MemoryEventSpool
from tidings.adapters.memory.transcripts import MemoryTranscripts
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.interaction.freedom import Free
from tidings.domain.interaction.observer import Observer
from tidings.domain.interaction.prompts import PromptSeen
from tidings.ports.codec import Document
from tidings.ports.messages import StoreTransaction
from tidings.ports.spool import EventSpool
from tidings.ports.tokens import StatusWord

KEY, PID = "4711-0123abcd", 4711


class Session:
    """One Claude session on a pretended machine, and an observer of it."""

    def __init__(self, *, spool: MemoryEventSpool | None = None) -> None:
        self.clock = ManualClock()
        self.status = MemoryHarnessStatus(self.clock)
        self.spool = spool or MemoryEventSpool()
        self.store = MemoryMessageStore()
        self.transcripts = MemoryTranscripts()
        self.prompts: list[tuple[tuple[PromptSeen, ...], int]] = []
        self.observer = self.another_observer()
        self.publish(StatusWord.IDLE)

    def another_observer(self, spool: EventSpool | None = None) -> Observer:
        return Observer(
            store=self.store,
            spool=spool or self.spool,
            status=self.status,
            transcripts=self.transcripts,
            codec=JsonCodec(),
            on_prompts=self.note,
        )

    def note(
        self,
        tx: StoreTransaction,
        /,
        *,
        session_key: str,
        prompts: Sequence[PromptSeen],
        at_ns: int,
    ) -> None:
        assert session_key == KEY
        self.prompts.append((tuple(prompts), at_ns))

    def hook(self, document: Document, *, client: str = "claude") -> None:
        """A hook starts now and leaves its line."""
        tick = self.clock.now().boottime_ns // TICK_NS
        self.spool.append(KEY, line(document, tick=tick, client=client))
        self.clock.advance(0.02)

    def publish(self, word: StatusWord, waiting_for: str = "") -> None:
        self.status.publish(PID, word, waiting_for=waiting_for)

    def unpublish(self) -> None:
        self.status.withdraw(PID)

    def frees(self) -> bool:
        return isinstance(self.observer.freedom(KEY, PID), Free)

    def glimpses_free(self) -> bool:
        return isinstance(self.observer.glimpse(KEY, PID), Free)
