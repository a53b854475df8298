"""Writing a whole file or nothing, in a folder that only its owner reads (S 1.3)."""

import os
import stat
import time
from contextlib import suppress
from itertools import islice

from tidings.adapters.wire.advice import advice_for
from tidings.adapters.wire.private_files import create_own, open_own
from tidings.adapters.wire.private_folders import make_private
from tidings.ports.errors import StateUnwritable

FOLDER_MODE = 0o700
MOST_SWEPT = 16
SWEPT_AFTER_SECONDS = 3600


def ensure_folder(folder: str) -> None:
    """Creates ``folder`` with its parents, and tightens one that is wider than 0700 (best effort).

    Raises ``StateUnwritable`` where it cannot be created or is no folder.
    """
    try:
        make_private(folder)
    except OSError as error:
        raise unwritable(folder, error) from error
    _tighten(folder)


def write_whole(path: str, data: bytes) -> None:
    """Replaces ``path`` by ``data``: a reader sees the old whole file or the new whole file, and
    after a power cut one of the two. Raises ``StateUnwritable``; the old file is then intact."""
    folder = os.path.dirname(path)
    ensure_folder(folder)
    draft = _draft_of(path)
    try:
        _write_draft(draft, data)
        os.rename(draft, path)
        _sync_folder(folder)
    except OSError as error:
        _forget(draft)
        raise unwritable(path, error) from error
    _sweep(folder)


def write_over(path: str, data: bytes) -> None:
    """Empties the file of ours at ``path`` and writes ``data`` into the room that this leaves.

    For a full disk, and only where an empty file is safe: whoever reads meanwhile, or after a
    crash, may see it. Raises ``StateUnwritable``; the file is then as it was, or empty.
    """
    try:
        descriptor = open_own(path, os.O_WRONLY)
        try:
            _refill(descriptor, data)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise unwritable(path, error) from error


def take_aside(path: str) -> str | None:
    """Renames whatever is at ``path``, a folder too, to a draft's name beside it, and returns that;
    None where nothing was there. Raises ``StateUnwritable``."""
    aside = _draft_of(path)
    try:
        os.rename(path, aside)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unwritable(path, error) from error
    return aside


def discard(path: str) -> None:
    """Unlinks what was taken aside; a folder stays there: what is in it is not ours."""
    _forget(path)


def remove(path: str) -> bool:
    """Unlinks ``path``; False where nothing was there. Raises ``StateUnwritable``."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise unwritable(path, error) from error
    return True


def unwritable(path: str, error: OSError) -> StateUnwritable:
    """The port's error for one of the system's."""
    return StateUnwritable(
        f"cannot write {path}: {error.strerror or error}",
        next_step=advice_for(error),
    )


def _draft_of(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")


def _write_draft(draft: str, data: bytes) -> None:
    descriptor = create_own(draft, os.O_WRONLY)
    try:
        _write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _refill(descriptor: int, data: bytes) -> None:
    os.ftruncate(descriptor, 0)
    os.fsync(descriptor)
    try:
        _write_all(descriptor, data)
    except OSError:
        os.ftruncate(descriptor, 0)
        raise


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    os.fsync(descriptor)


def _sync_folder(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _tighten(folder: str) -> None:
    try:
        if stat.S_IMODE(os.stat(folder).st_mode) != FOLDER_MODE:
            os.chmod(folder, FOLDER_MODE)
    except OSError:
        return  # another owner's folder: the write that follows says what is wrong


def _forget(draft: str) -> None:
    try:
        os.unlink(draft)
    except OSError:
        return


def _sweep(folder: str) -> None:
    """Takes away up to 16 drafts that killed writers left: older than an hour, the writer gone."""
    with suppress(OSError):
        left = (path for name in os.listdir(folder) if (path := _left_behind(folder, name)))
        for draft in islice(left, MOST_SWEPT):
            _forget(draft)


def _left_behind(folder: str, name: str) -> str:
    """The path of a draft whose writer will not come back to it; empty for anything else."""
    writer = _writer_of(name)
    if not (writer and _is_gone(writer)):
        return ""
    path = f"{folder}/{name}"
    found = os.lstat(path)
    # The change of its name counts too: what was taken aside is as old as what it was.
    is_old = time.time() - max(found.st_mtime, found.st_ctime) > SWEPT_AFTER_SECONDS
    return path if is_old and stat.S_ISREG(found.st_mode) else ""


def _writer_of(name: str) -> int:
    """The pid in the name of a draft of ours; 0 for any other name."""
    if not (name.startswith(".") and name.endswith(".tmp")):
        return 0
    pid, dash, token = name.removesuffix(".tmp").rpartition(".")[2].partition("-")
    is_ours = dash and len(token) == 8 and pid.isascii() and pid.isdigit() and len(pid) < 10
    return int(pid) if is_ours else 0


def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)  # asks only
    except ProcessLookupError:
        return True
    except OSError:
        pass  # it is there, and somebody else's
    return False
