"""The event spool in memory: bytes behind keys, with the offsets a file would have."""

from collections.abc import Sequence

from tidings.ports.errors import StateUnreadable
from tidings.ports.spool import SpoolRead

LONGEST_LINE = 4096


class MemoryEventSpool:
    """``tear`` leaves what a full disk leaves: the beginning of a record without its end."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def append(self, key: str, line: bytes) -> None:
        if len(line) > LONGEST_LINE or line[-1:] != b"\n" or line.count(b"\n") != 1:
            raise ValueError(f"no record of one line and at most {LONGEST_LINE} bytes")
        self._files[key] = self._files.get(key, b"") + b"\n" + line

    def read(self, key: str, *, offset: int) -> SpoolRead:
        data = self._files.get(key, b"")
        if len(data) < offset:
            raise StateUnreadable(f"the spool of {key} is shorter than what was read of it before")
        whole = data[offset : data.rfind(b"\n") + 1]
        lines = tuple(line for line in whole.split(b"\n") if line)
        return SpoolRead(lines=lines, offset=offset + len(whole))

    def keys(self) -> Sequence[str]:
        return list(self._files)

    def tear(self, key: str, part: bytes) -> None:
        """A write that the disk cut short after ``part``."""
        self._files[key] = self._files.get(key, b"") + b"\n" + part

    def truncate(self, key: str) -> None:
        """What nobody may do while the owner lives."""
        self._files[key] = b""
