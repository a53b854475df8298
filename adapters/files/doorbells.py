"""Doorbells as FIFOs beside the spools: ``events/<session key>.bell`` (D11, D13)."""

import contextlib
import os
import stat
from collections.abc import Set as AbstractSet

from tidings.adapters.files.atomic import ensure_folder, unwritable
from tidings.adapters.files.hook_writes import bell_path, ring
from tidings.ports.errors import StateUnreadable
from tidings.ports.tokens import Ring

_PIPE_BYTES = 65_536
"""What a pipe holds before a ring no longer fits."""

_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


class FifoDoorbell:
    """Rings at whoever listens in ``folder``."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def ring(self, key: str, *, why: Ring = Ring.LETTER) -> bool:
        """One byte, without blocking; False where nobody listens or the bell is not ours."""
        return ring(self._folder, key, _byte(why))


class FifoDoorbellListener:
    """The resident's end of one bell. The node stays behind: opening it with no listener fails."""

    def __init__(self, read_end: int, write_end: int) -> None:
        self._read_end = read_end
        self._write_end = write_end

    def fileno(self) -> int:
        """Readable when the bell rang; -1 once closed."""
        return self._read_end

    def descriptors(self) -> tuple[int, int]:
        """Both ends, for carrying the bell through ``execv``."""
        return self._read_end, self._write_end

    def drain(self) -> AbstractSet[Ring]:
        """Why it rang since the last call; empties the pipe."""
        read = bytearray()
        with contextlib.suppress(BlockingIOError):
            while self._read_end >= 0 and (part := os.read(self._read_end, _PIPE_BYTES)):
                read += part
        if len(read) >= _PIPE_BYTES:
            return frozenset(Ring)  # it may have been full when somebody else rang
        return frozenset(one for one in Ring if _byte(one) in read)

    def close(self) -> None:
        """Stops listening; twice is harmless."""
        for descriptor in (self._read_end, self._write_end):
            if descriptor >= 0:
                os.close(descriptor)
        self._read_end = self._write_end = -1


def listen(folder: str, key: str) -> FifoDoorbellListener:
    """Hangs up the bell of ``key`` (FIFO, 0600) and listens.

    Raises ``StateUnwritable`` where it cannot be made, ``StateUnreadable`` where something stands
    there that is not a private FIFO of ours: it is refused, never replaced.
    """
    ensure_folder(folder)
    path = bell_path(folder, key)
    try:
        with contextlib.suppress(FileExistsError):
            os.mkfifo(path, 0o600)
            os.chmod(path, 0o600)  # a umask may have taken from it
        read_end = os.open(path, _READ)
    except OSError as error:
        raise unwritable(path, error) from error
    if not _is_private_fifo(os.fstat(read_end)):
        os.close(read_end)
        raise StateUnreadable(f"{path} is not a private doorbell of ours")
    return FifoDoorbellListener(read_end, _hold_open(path, read_end))


def _byte(why: Ring) -> bytes:
    """Its first letter: what a hook writes too, without loading this module."""
    return why.encode()[:1]


def _hold_open(path: str, read_end: int) -> int:
    """Our own write end: without it the pipe would read as ended after the first ringer left."""
    try:
        return os.open(path, _WRITE)
    except OSError as error:
        os.close(read_end)
        raise unwritable(path, error) from error


def _is_private_fifo(found: os.stat_result) -> bool:
    private = stat.S_IMODE(found.st_mode) & 0o077 == 0
    return stat.S_ISFIFO(found.st_mode) and found.st_uid == os.geteuid() and private
