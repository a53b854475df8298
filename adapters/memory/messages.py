"""The message store in memory: the same transactions, with nothing on disk."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from tidings.adapters.memory.history_rows import MemoryTransaction
from tidings.adapters.memory.message_rows import StoredRows
from tidings.ports.errors import StateUnwritable, StoreLocked
from tidings.ports.messages import StoreTransaction

T = TypeVar("T")


@dataclass(slots=True)
class _Owner:
    """Which thread is inside a transaction, so that a nested one is told instead of hanging."""

    thread: int | None = None


@dataclass(slots=True)
class MemoryMessageStore:
    """One writer at a time; a reader sees the last commit; an exception leaves no trace."""

    _rows: StoredRows = field(default_factory=StoredRows)
    _writing: threading.Lock = field(default_factory=threading.Lock)
    _writer: _Owner = field(default_factory=_Owner)

    def transact(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float) -> T:
        """Runs ``work`` alone and commits. Raises ``StoreLocked`` after ``wait_seconds``."""
        mine = threading.get_ident()
        wait = 0.0 if self._writer.thread == mine else max(0.0, wait_seconds)
        if not self._writing.acquire(timeout=wait):
            raise StoreLocked("the store in memory stayed locked", next_step="try again")
        try:
            self._writer.thread = mine
            draft = self._rows.copied()
            result = work(MemoryTransaction(draft, writable=True))
            self._rows = draft
            return result
        finally:
            self._writer.thread = None
            self._writing.release()

    def view(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float = 0.1) -> T:
        """Runs ``work`` on the last commit; readers wait for nobody."""
        return work(MemoryTransaction(self._rows, writable=False))

    def integrity(self) -> Sequence[str]:
        """Nothing can spoil a row in memory."""
        return ()

    def backup(self, path: str) -> None:
        """There is no file to copy."""
        raise StateUnwritable("a store in memory has no file", next_step="keep one on disk")
