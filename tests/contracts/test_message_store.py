"""The message store's contract, bound to SQLite and to memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tidings.adapters.memory.messages import MemoryMessageStore
from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.history_contract import HistoryContract
from tidings.entrypoints.testing.messages_contract import MessageStoreContract
from tidings.ports.messages import MessageStore


class _Memory:
    @pytest.fixture(autouse=True)
    def _bind(self) -> None:
        self._store = MemoryMessageStore()

    def make_store(self) -> MessageStore:
        return self._store


class _Sqlite:
    @pytest.fixture(autouse=True)
    def _bind(self, tmp_path: Path) -> Iterator[None]:
        self._store = SqliteMessageStore(str(tmp_path / "state" / "tidings.db"), codec=JsonCodec())
        yield
        self._store.close()

    def make_store(self) -> MessageStore:
        return self._store


class TestMemoryMessageStore(_Memory, MessageStoreContract):
    pass


class TestSqliteMessageStore(_Sqlite, MessageStoreContract):
    pass


class TestMemoryHistory(_Memory, HistoryContract):
    pass


class TestSqliteHistory(_Sqlite, HistoryContract):
    pass
