"""The suite of a client's setting for what comes in, bound to the twin and to the client's files."""

import json
import os
from pathlib import Path

import pytest

from tidings.adapters.harnesses.claude_inbound import LARGEST_BYTES, NAME, ClaudeInbound
from tidings.adapters.memory.inbound import MemoryHarnessInbound
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.inbound_contract import InboundContract
from tidings.ports.inbound import InboundPolicy


class _MemoryClient:
    folder = "/home/dev/shop"

    def __init__(self) -> None:
        self.inbound = MemoryHarnessInbound()

    def set(self, policy: InboundPolicy) -> None:
        self.inbound.set(self.folder, policy)


class _ClaudeFiles:
    def __init__(self, base: Path) -> None:
        self.user = base / "home" / "settings.json"
        self.shared = base / "shop" / ".claude" / "settings.json"
        self.local = base / "shop" / ".claude" / "settings.local.json"
        self.managed = base / "managed.json"
        for file in (self.user, self.shared):
            file.parent.mkdir(parents=True)
        self.folder = str(base / "shop")
        self.inbound = ClaudeInbound(
            str(self.user.parent), codec=JsonCodec(), managed=str(self.managed)
        )

    def set(self, policy: InboundPolicy) -> None:
        self.shared.write_text(json.dumps({NAME: policy}), encoding="utf-8")

    def now(self) -> InboundPolicy:
        return self.inbound.policy(self.folder)


class TestMemoryInbound(InboundContract):
    def make_client(self) -> _MemoryClient:
        return _MemoryClient()


class TestClaudeInbound(InboundContract):
    @pytest.fixture(autouse=True)
    def in_a_folder(self, tmp_path: Path) -> None:
        self._base = tmp_path

    def make_client(self) -> _ClaudeFiles:
        return _ClaudeFiles(self._base)


@pytest.fixture
def files(tmp_path: Path) -> _ClaudeFiles:
    return _ClaudeFiles(tmp_path)


def test_the_machines_file_counts_before_the_repositorys_and_those_before_the_users(
    files: _ClaudeFiles,
) -> None:
    order = (files.user, files.shared, files.local, files.managed)
    for file, word in zip(order, ("hold", "refuse", "accept", "refuse"), strict=True):
        file.write_text(json.dumps({"model": "x"}), encoding="utf-8")
        before = files.now()
        file.write_text(json.dumps({NAME: word}), encoding="utf-8")
        assert files.now() == word != before


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"crossSessionInbound": "perhaps"}', '{"crossSessionInbound": 1}']
)
def test_a_file_that_does_not_read_and_a_word_that_nobody_knows_are_unknown(
    files: _ClaudeFiles, text: str
) -> None:
    files.local.write_text(text, encoding="utf-8")
    files.user.write_text(json.dumps({NAME: "accept"}), encoding="utf-8")
    assert files.now() is InboundPolicy.UNKNOWN


def test_a_huge_file_a_folder_and_a_pipe_are_unknown_and_stop_nobody(files: _ClaudeFiles) -> None:
    files.local.write_bytes(b" " * (LARGEST_BYTES + 1))
    assert files.now() is InboundPolicy.UNKNOWN
    files.local.unlink()
    files.local.mkdir()
    assert files.now() is InboundPolicy.UNKNOWN
    files.local.rmdir()
    os.mkfifo(files.local)
    assert files.now() is InboundPolicy.UNKNOWN
