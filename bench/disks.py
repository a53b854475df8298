"""Where durability costs what it costs: a folder on a disk, and what one sync of it takes."""

import os
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from tidings.adapters.processes.mounts import type_at

MOUNTS = Path("/proc/self/mountinfo")
IN_MEMORY = frozenset({"tmpfs", "ramfs"})
PAGE = b"x" * 4096
PAGES = 1_000
"""After so many a file is written from its beginning again, as a write-ahead log is."""


def disk_folder() -> str:
    """The first of the temporary folder, the user's cache and this repository that is no memory
    file system, where a sync is free and no durable write could be compared; else the first."""
    home = os.path.expanduser("~")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    folders = [tempfile.gettempdir(), cache, str(Path(__file__).resolve().parent)]
    usable = [one for one in folders if os.path.isdir(one) and os.access(one, os.W_OK)]
    return next((one for one in usable if not _is_memory(one)), usable[0])


@contextmanager
def page_syncs(folder: Path) -> Generator[Callable[[], object], None, None]:
    """One page a call, written and synced: the least that any durable commit costs there."""
    with (folder / "pages").open("wb", buffering=0) as file:

        def write() -> None:
            if file.tell() >= PAGES * len(PAGE):
                file.seek(0)
            file.write(PAGE)
            os.fdatasync(file.fileno()) if hasattr(os, "fdatasync") else os.fsync(file.fileno())

        yield write


def _is_memory(folder: str) -> bool:
    """False where the platform has no such list: there ``/tmp`` is a disk."""
    if not MOUNTS.exists():
        return False
    return type_at(os.path.realpath(folder), MOUNTS.read_bytes().splitlines()) in IN_MEMORY
