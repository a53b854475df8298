import pytest

from tidings.adapters.memory.spool import MemoryEventSpool
from tidings.entrypoints.testing.spool_contract import EventSpoolContract
from tidings.ports.spool import EventSpool


class TestMemoryEventSpool(EventSpoolContract):
    @pytest.fixture(autouse=True)
    def fresh_memory(self) -> None:
        self.spool = MemoryEventSpool()

    def make_spool(self) -> EventSpool:
        return self.spool

    def tear(self, key: str, part: bytes) -> None:
        self.spool.tear(key, part)

    def shorten(self, key: str) -> None:
        self.spool.truncate(key)
