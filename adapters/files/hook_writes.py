"""What a hook does to files: a line for a spool, a byte for a doorbell, and two signs (D10, D11). Light.

No lock, no database, no import beyond ``os``, ``stat``, ``time`` and the form of a key. What is in the way is
never repaired or replaced: a planted link, FIFO or folder makes the write fail.
"""

from __future__ import annotations

import os
import stat
import time

from tidings.adapters.wire.private_files import create_own, flaw_of, open_or_create, open_own
from tidings.adapters.wire.private_folders import make_private
from tidings.domain.identity.keys import is_session_key

LONGEST_LINE = 4096
"""Bytes of one record, its line break included."""

LAUNCH_SECONDS = 10.0
"""How long after one helper was launched for a session no other one is."""

_APPEND = os.O_WRONLY | os.O_APPEND
_RING = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def spool_path(folder: str, key: str) -> str:
    """Where the events of session ``key`` are. Raises ``ValueError`` for a key that is none."""
    return _path(folder, key, ".jsonl")


def bell_path(folder: str, key: str) -> str:
    """Where the resident of session ``key`` listens. Raises ``ValueError`` for a key that is none."""
    return _path(folder, key, ".bell")


def append_line(folder: str, key: str, line: bytes) -> None:
    """One record in one O_APPEND write, the folder (0700) and file (0600) made where they lack.

    A line break goes before the record as well: after a write that a full disk cut short, the next
    record still begins a line of its own. Raises ``ValueError`` for a record that is too long,
    ``OSError`` where the file system refuses or took only a part.
    """
    if len(line) > LONGEST_LINE or line[-1:] != b"\n" or line.count(b"\n") != 1:
        raise ValueError(f"no record of one line and at most {LONGEST_LINE} bytes")
    data = b"\n" + line
    descriptor = _open_spool(folder, spool_path(folder, key))
    try:
        if os.write(descriptor, data) != len(data):
            raise OSError("the disk took only a part of a record")
    finally:
        os.close(descriptor)


def ring(folder: str, key: str, why: bytes = b"e") -> bool:
    """True where somebody listened. ``why`` is one byte, by default that of an event. Never blocks;
    a full pipe means that the bell rings already."""
    descriptor = _open_bell(folder, key)
    if descriptor < 0:
        return False
    try:
        os.write(descriptor, why)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def is_heard(folder: str, key: str) -> bool:
    """Whether somebody listens for session ``key``, without a ring. The kernel knows: a FIFO
    without a reader does not open, so a resident that was killed is heard of at once."""
    descriptor = _open_bell(folder, key)
    if descriptor >= 0:
        os.close(descriptor)
    return descriptor >= 0


def claim_launch(folder: str, key: str) -> bool:
    """Whether a helper may be launched for session ``key`` now; notes that one is.

    At most one in ``LAUNCH_SECONDS``, however many hooks find nobody at once. Two that come
    together after that may both be told yes: the resident lock decides between them. Raises
    ``OSError`` where the note cannot be kept, so that a state folder in which nothing can be
    written has no helpers.
    """
    path, now_ns = _path(folder, key, ".start"), time.time_ns()
    make_folder(folder)
    try:
        os.close(create_own(path, os.O_WRONLY))
    except FileExistsError:
        found = os.lstat(path)
        if flaw_of(found) or 0 <= now_ns - found.st_mtime_ns < LAUNCH_SECONDS * 1e9:
            return False
    os.utime(path, ns=(now_ns, now_ns), follow_symlinks=False)  # our clock, not the file server's
    return True


def quiet_path(folder: str, pid: int) -> str:
    """A sign that the resident of the session with ``pid`` sets while no dialog is open.

    The shell that would start a hook looks for it: with it there the end of one tool call says
    nothing, and no interpreter starts (D10). Losing a close only holds messages for longer.
    """
    return f"{folder}/{pid}.quiet"


def take_quiet_sign(folder: str, pid: int) -> None:
    """From now on the end of a tool call is told. Harmless where there is no sign."""
    try:
        os.unlink(quiet_path(folder, pid))
    except OSError:
        return


def set_quiet_sign(folder: str, pid: int) -> bool:
    """Sets the sign; False where it cannot be set or stands already."""
    try:
        os.close(create_own(quiet_path(folder, pid), os.O_WRONLY))
    except OSError:
        return False
    return True


def _open_bell(folder: str, key: str) -> int:
    """The bell of ``key`` if it is ours and somebody listens; -1 otherwise."""
    try:
        descriptor = os.open(bell_path(folder, key), _RING)
    except (OSError, ValueError):
        return -1
    if _is_own_fifo(os.fstat(descriptor)):
        return descriptor
    os.close(descriptor)
    return -1


def _open_spool(folder: str, path: str) -> int:
    try:
        return open_own(path, _APPEND)
    except FileNotFoundError:
        make_folder(folder)
    return open_or_create(path, _APPEND)


def make_folder(folder: str) -> None:
    """``folder`` and the state folder above it, both private."""
    make_private(folder)


def _path(folder: str, key: str, suffix: str) -> str:
    if not is_session_key(key):
        raise ValueError(f"no session key: {key[:40]!r}")
    return f"{folder}/{key}{suffix}"


def _is_own_fifo(found: os.stat_result) -> bool:
    return stat.S_ISFIFO(found.st_mode) and found.st_uid == os.geteuid()
