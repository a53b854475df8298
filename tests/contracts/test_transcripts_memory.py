import pytest

from tidings.adapters.memory.transcripts import MemoryTranscripts
from tidings.entrypoints.testing.transcripts_contract import TranscriptsContract
from tidings.ports.transcripts import Transcripts


class TestMemoryTranscripts(TranscriptsContract):
    @pytest.fixture(autouse=True)
    def fresh_memory(self) -> None:
        self.transcripts = MemoryTranscripts()

    def make_transcripts(self) -> Transcripts:
        return self.transcripts

    def write(self, data: bytes) -> str:
        self.transcripts.write("/t/a.jsonl", data)
        return "/t/a.jsonl"
