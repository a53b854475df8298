import pytest

from tidings.adapters.memory.presence import MemoryHarnessPresence
from tidings.entrypoints.testing.presence_contract import HarnessPresenceContract
from tidings.ports.presence import HarnessPresence, HarnessSighting


class TestMemoryHarnessPresence(HarnessPresenceContract):
    @pytest.fixture(autouse=True)
    def fresh_memory(self) -> None:
        self.presence = MemoryHarnessPresence()

    def make_presence(self) -> HarnessPresence:
        return self.presence

    def publish(self, sighting: HarnessSighting) -> None:
        self.presence.publish(sighting)

    def withdraw(self, pid: int) -> None:
        self.presence.withdraw(pid)
