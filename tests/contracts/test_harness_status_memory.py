import pytest

from tidings.adapters.memory.clock import ManualClock
from tidings.adapters.memory.harness_status import MemoryHarnessStatus
from tidings.entrypoints.testing.harness_status_contract import HarnessStatusContract
from tidings.ports.harness_status import HarnessStatus
from tidings.ports.tokens import StatusWord


class TestMemoryHarnessStatus(HarnessStatusContract):
    @pytest.fixture(autouse=True)
    def fresh_memory(self) -> None:
        self.status = MemoryHarnessStatus(ManualClock())

    def make_status(self) -> HarnessStatus:
        return self.status

    def pid(self) -> int:
        return 4711

    def publish(self, word: str, *, waiting_for: str = "", session_id: str = "s-1") -> None:
        self.status.publish(4711, StatusWord(word), waiting_for=waiting_for, session_id=session_id)

    def withdraw(self) -> None:
        self.status.withdraw(4711)
