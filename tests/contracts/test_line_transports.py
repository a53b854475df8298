"""The suite of the monitor's line, bound to the memory twin and to a pipe."""

import os
import select
from collections.abc import Iterator, Sequence
from contextlib import suppress

import pytest

from tidings.adapters.memory.transport import MemoryLineTransport
from tidings.adapters.transports.monitor_line import MonitorLineTransport
from tidings.entrypoints.testing.line_contract import LineTransportContract
from tidings.ports.tokens import WriteResult
from tidings.ports.transport import WriteFact

NOTHING = WriteFact(result=WriteResult.ZERO, reason="provider-write-zero")


class _MemoryOutput:
    def __init__(self) -> None:
        self.transport = MemoryLineTransport()

    def lines(self) -> Sequence[str]:
        return self.transport.lines


class _Pipe:
    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        self.transport = MonitorLineTransport(self.writer)
        self._read = b""

    def lines(self) -> Sequence[str]:
        while select.select([self.reader], [], [], 0)[0]:
            self._read += os.read(self.reader, 1 << 16)
        return self._read.decode().splitlines()

    def close(self) -> None:
        for end in (self.reader, self.writer):
            with suppress(OSError):
                os.close(end)


@pytest.fixture
def pipe() -> Iterator[_Pipe]:
    made = _Pipe()
    yield made
    made.close()


class TestMemoryLine(LineTransportContract):
    def make_output(self) -> _MemoryOutput:
        return _MemoryOutput()


class TestMonitorLine(LineTransportContract):
    @pytest.fixture(autouse=True)
    def one_pipe(self, pipe: _Pipe) -> None:
        self._pipe = pipe

    def make_output(self) -> _Pipe:
        return self._pipe


def test_an_output_that_nobody_reads_is_a_known_zero_and_asks_no_fence(
    pipe: _Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tidings.adapters.transports.monitor_line.WRITE_SECONDS", 0.05)
    asked: list[str] = []

    def fence() -> bool:
        asked.append("fence")
        return True

    os.set_blocking(pipe.writer, False)
    with suppress(BlockingIOError):
        while True:
            os.write(pipe.writer, b"x" * 4096)
    assert pipe.transport.write("x", fence) == NOTHING
    os.close(pipe.reader)
    assert pipe.transport.write("x", fence) == NOTHING
    assert asked == []
