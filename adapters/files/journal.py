"""``journal.jsonl``: what happened, one line each, for people."""

import os

from tidings.adapters.files.atomic import FILE_MODE, ensure_folder
from tidings.ports.clock import Clock
from tidings.ports.codec import Codec, Value
from tidings.ports.errors import StateUnwritable

ROTATE_AT_BYTES = 8 * 1024 * 1024
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class FileJournal:
    """Appends whole lines with one write each. At 8 MiB the file becomes ``….1``, the only older
    one that is kept."""

    def __init__(
        self, path: str, *, codec: Codec, clock: Clock, rotate_at_bytes: int = ROTATE_AT_BYTES
    ) -> None:
        self._path = path
        self._codec = codec
        self._clock = clock
        self._rotate_at_bytes = rotate_at_bytes

    def write(self, event: str, **fields: Value) -> None:
        """One line, or none: a full disk or an odd value changes no behaviour (R 319)."""
        line = {"v": 1, "at_ns": self._clock.now().wall_ns, "event": event, **fields}
        try:
            self._append(self._codec.encode(line) + b"\n")
        except (OSError, ValueError, StateUnwritable):
            return

    def _append(self, line: bytes) -> None:
        ensure_folder(os.path.dirname(self._path))
        descriptor = os.open(self._path, _APPEND, FILE_MODE)
        try:
            os.write(descriptor, line)
            size_bytes = os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)
        if size_bytes >= self._rotate_at_bytes:
            os.replace(self._path, f"{self._path}.1")
