"""Sleeping until something happens: a bell, a socket, the end of the owner, or a bounded time."""

import os
import select
import signal
from collections.abc import Sequence

ENDINGS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
ASKED_TO_END = 130
"""The exit code of one that was told to end (D35)."""

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

    def close(self) -> None:
        """Stops watching: it rang, and would ring for ever. Calling it twice is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1


class Endings:
    """SIGTERM, SIGHUP and SIGINT as a descriptor: the harness ends its monitors with SIGTERM (H 4)."""

    def __init__(self, *, asked: bool = False) -> None:
        self.asked = asked
        self._reader, self._writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        for number in ENDINGS:
            signal.signal(number, self._note)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)

    def filenos(self) -> list[int]:
        """Readable once an end was asked for."""
        return [self._reader]

    def _note(self, _number: int, _frame: object) -> None:
        self.asked = True
        os.write(self._writer, b".")


def hold_endings() -> None:
    """From now on a signal to end waits; the next ``Endings``, also after ``execv``, hears it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)


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
