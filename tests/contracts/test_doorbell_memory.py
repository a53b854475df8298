import pytest

from tidings.adapters.memory.doorbell import MemoryDoorbell
from tidings.entrypoints.testing.doorbell_contract import DoorbellContract
from tidings.ports.doorbell import Doorbell, DoorbellListener


class TestMemoryDoorbell(DoorbellContract):
    @pytest.fixture(autouse=True)
    def fresh_memory(self) -> None:
        self.bell = MemoryDoorbell()

    def make_doorbell(self) -> Doorbell:
        return self.bell

    def listen(self, key: str) -> DoorbellListener:
        return self.bell.listen(key)
