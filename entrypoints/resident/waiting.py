"""Sleeping until something happens: a bell, a socket, the end of the owner, or a bounded time."""

import os
import select
import signal
from collections.abc import Sequence

READABLE = select.POLLIN if hasattr(select, "POLLIN") else 1


class OwnerWatch:
    """A descriptor that turns readable when a process ends (Linux); none elsewhere.

    It is only a doorbell: whether the owner is dead is the liveness function's word.
    """

    def __init__(self, pid: int) -> None:
        self._descriptor = _open_process(pid)

    def filenos(self) -> list[int]:
        """The descriptor to wait on, or nothing."""
        return [] if self._descriptor < 0 else [self._descriptor]


class Endings:
    """SIGTERM and SIGHUP as a descriptor: the harness ends its monitors with SIGTERM (H 4)."""

    def __init__(self) -> None:
        self.asked = False
        self._reader, self._writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._note)

    def filenos(self) -> list[int]:
        """Readable once an end was asked for."""
        return [self._reader]

    def _note(self, _number: int, _frame: object) -> None:
        self.asked = True
        os.write(self._writer, b".")


def wait_for(descriptors: Sequence[int], *, seconds: float) -> set[int]:
    """The descriptors that turned readable within ``seconds``; an empty set at the time's end."""
    poller = select.poll()
    for descriptor in descriptors:
        poller.register(descriptor, READABLE)
    return {descriptor for descriptor, _ in poller.poll(max(0.0, seconds) * 1000)}


def _open_process(pid: int) -> int:
    if not hasattr(os, "pidfd_open"):
        return -1
    try:
        return os.pidfd_open(pid)
    except OSError:
        return -1
