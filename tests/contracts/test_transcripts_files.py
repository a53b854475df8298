import os
from pathlib import Path

import pytest

from tidings.adapters.harnesses.transcript_files import TranscriptFiles
from tidings.entrypoints.testing.transcripts_contract import TranscriptsContract
from tidings.ports.transcripts import TailUnreadable, Transcripts


class TestTranscriptFiles(TranscriptsContract):
    @pytest.fixture(autouse=True)
    def fresh_file(self, tmp_path: Path) -> None:
        self.file = tmp_path / "a.jsonl"

    def make_transcripts(self) -> Transcripts:
        return TranscriptFiles()

    def write(self, data: bytes) -> str:
        self.file.write_bytes(data)
        return str(self.file)

    def test_a_fifo_does_not_block_the_reader(self) -> None:
        os.mkfifo(self.file)
        assert isinstance(TranscriptFiles().tail(str(self.file)), TailUnreadable)

    def test_a_path_that_is_none_is_unreadable(self) -> None:
        assert isinstance(TranscriptFiles().tail("a\0b"), TailUnreadable)
        assert isinstance(TranscriptFiles().tail(""), TailUnreadable)
