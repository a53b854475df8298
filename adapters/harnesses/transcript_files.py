"""The end of a harness's transcript (M 4.5)."""

import os
import stat

from tidings.ports.transcripts import TailFact, TailRead, TailUnreadable

TAIL_BYTES = 256 * 1024
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


class TranscriptFiles:
    """Reads regular files only; the path is one that a hook named."""

    def tail(self, path: str) -> TailFact:
        """The last 256 KiB as whole lines.

        A line that is still being written could be a tool use, so such a tail is unreadable.
        """
        try:
            data, whole = _read_tail(path)
        except (OSError, ValueError) as error:
            return TailUnreadable(why=str(error))
        if not whole:
            data = data.partition(b"\n")[2] if b"\n" in data else b""
        if not data.endswith(b"\n"):
            return TailUnreadable(why="no whole line at its end")
        return TailRead(lines=tuple(data[:-1].split(b"\n")))


def _read_tail(path: str) -> tuple[bytes, bool]:
    """The last bytes, and whether they are all. Raises ``OSError``, also for a short read."""
    descriptor = os.open(path, _READ)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError("no regular file")
        start = max(0, found.st_size - TAIL_BYTES)
        data = os.pread(descriptor, TAIL_BYTES, start)
        if len(data) < min(found.st_size, TAIL_BYTES):
            raise OSError("the file became shorter while it was read")
        return data, start == 0
    finally:
        os.close(descriptor)
