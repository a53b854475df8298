"""``journal.jsonl``: what happened, one line each, for people."""

import os

from tidings.adapters.wire.private_files import open_or_create
from tidings.ports.clock import Clock
from tidings.ports.codec import Codec, Value

ROTATE_AT_BYTES = 8 * 1024 * 1024


class FileJournal:
    """Appends whole lines with one write each, in a state folder that is there already: a folder
    that was removed is not made anew for a remark. At 8 MiB the file becomes ``….1``, the only older
    one that is kept."""

    def __init__(
        self, path: str, *, codec: Codec, clock: Clock, rotate_at_bytes: int = ROTATE_AT_BYTES
    ) -> None:
        self._path = path
        self._codec = codec
        self._clock = clock
        self._rotate_at_bytes = rotate_at_bytes

    def write(self, event: str, **fields: Value) -> None:
        """One line, or none: a full disk, an odd value or something else in the file's place
        changes no behaviour and is not waited for (R 319)."""
        line = {"v": 1, "at_ns": self._clock.now().wall_ns, "event": event, **fields}
        try:
            self._append(self._codec.encode(line) + b"\n")
        except (OSError, ValueError):
            return

    def _append(self, line: bytes) -> None:
        descriptor = open_or_create(self._path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(descriptor, line)
            size_bytes = os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)
        if size_bytes >= self._rotate_at_bytes:
            os.replace(self._path, f"{self._path}.1")
