"""The event spool on disk: ``events/<session key>.jsonl``, written by hooks without a lock (D11)."""

import os
from collections.abc import Sequence

from tidings.adapters.files.atomic import unwritable
from tidings.adapters.files.hook_writes import append_line, spool_path
from tidings.adapters.files.listing import keys_in, require_own_folder
from tidings.adapters.wire.private_files import open_own
from tidings.ports.errors import StateUnreadable
from tidings.ports.spool import SpoolRead


class FileEventSpool:
    """``folder`` is ``events`` in the state folder; it is made at the first write."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def append(self, key: str, line: bytes) -> None:
        """One O_APPEND write, exactly as the hook does it."""
        try:
            append_line(self._folder, key, line)
        except OSError as error:
            raise unwritable(spool_path(self._folder, key), error) from error

    def read(self, key: str, *, offset: int) -> SpoolRead:
        """Whole lines behind ``offset``; blank ones, which only separate records, are left out."""
        path = spool_path(self._folder, key)
        require_own_folder(self._folder)
        try:
            data = _read_from(path, offset)
        except FileNotFoundError:
            data = b"" if offset == 0 else None
        except OSError as error:
            raise StateUnreadable(
                f"cannot read {path}: {error.strerror or error}",
                next_step="look what stands there and move it aside; hooks begin a new one",
            ) from error
        if data is None:
            raise StateUnreadable(f"{path} is shorter than what was read of it before")
        whole = data[: data.rfind(b"\n") + 1]
        lines = tuple(line for line in whole.split(b"\n") if line)
        return SpoolRead(lines=lines, offset=offset + len(whole))

    def keys(self) -> Sequence[str]:
        """Raises ``StateUnreadable`` where the folder cannot be listed."""
        return keys_in(self._folder, ".jsonl")


def _read_from(path: str, offset: int) -> bytes | None:
    """Everything behind ``offset``; None where the file ends before it."""
    descriptor = open_own(path, os.O_RDONLY)
    try:
        if os.fstat(descriptor).st_size < offset:
            return None
        os.lseek(descriptor, offset, os.SEEK_SET)
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            return stream.read()
    finally:
        os.close(descriptor)
