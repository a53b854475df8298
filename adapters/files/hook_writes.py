"""The two writes of a hook: one line appended to a spool, one byte into a doorbell (D10, D11). Light.

No lock, no database, no import beyond ``os``, ``stat`` and the form of a key. What is in the way is
never repaired or replaced: a planted link, FIFO or folder makes the write fail.
"""

from __future__ import annotations

import os
import stat

from tidings.adapters.wire.private_files import open_or_create, open_own
from tidings.adapters.wire.private_folders import make_private
from tidings.domain.identity.keys import is_session_key

LONGEST_LINE = 4096
"""Bytes of one record, its line break included."""

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
    try:
        descriptor = os.open(bell_path(folder, key), _RING)
    except (OSError, ValueError):
        return False
    try:
        if not _is_own_fifo(os.fstat(descriptor)):
            return False
        os.write(descriptor, why)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


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
