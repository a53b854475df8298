"""Printing one line where the harness reads its plugin's monitor (H 4, H 11, D17)."""

import os
import select
import time
from collections.abc import Callable
from typing import Final

from tidings.adapters.transports.single_write import judge_write
from tidings.ports.errors import TidingsError
from tidings.ports.tokens import WriteResult
from tidings.ports.transport import WriteFact

WRITE_SECONDS: Final = 2.0
PREWRITE_REFUSED: Final = WriteFact(result=WriteResult.ZERO, reason="provider-prewrite-refused")


class MonitorLineTransport:
    """``fileno`` is this process's standard output, which the harness gave it. One write call.

    A line of ours is shorter than what a pipe takes at once, so it goes whole or not at all.
    """

    def __init__(self, fileno: int = 1) -> None:
        self._fileno = fileno

    def write(self, line: str, fence: Callable[[], bool]) -> WriteFact:
        data = line.encode("utf-8", "replace") + b"\n"
        if not self._has_room():
            return judge_write(0, len(data), failed_after=False)
        if not _allowed(fence):
            return PREWRITE_REFUSED
        return self._write(data)

    def _has_room(self) -> bool:
        """A client that reads nothing for two seconds does not hold its resident longer."""
        poller = select.poll()
        poller.register(self._fileno, select.POLLOUT)
        ends_at = time.monotonic() + WRITE_SECONDS
        while (left := ends_at - time.monotonic()) > 0:
            ready = poller.poll(left * 1000)
            if ready:
                return not ready[0][1] & (select.POLLERR | select.POLLHUP | select.POLLNVAL)
        return False

    def _write(self, data: bytes) -> WriteFact:
        try:
            os.set_blocking(self._fileno, False)
            sent_bytes = os.write(self._fileno, data)
        except OSError:
            return judge_write(0, len(data), failed_after=False)
        return judge_write(sent_bytes, len(data), failed_after=False)


def _allowed(fence: Callable[[], bool]) -> bool:
    try:
        return fence()
    except TidingsError:
        return False
