"""Reading a small document strictly: whatever lies in its place, the reader neither blocks nor
follows it elsewhere (S 1.7)."""

import os
import stat
from typing import Protocol, TypeAlias

from tidings.adapters.wire.private_files import look
from tidings.adapters.wire.small_documents import LONGEST_BYTES
from tidings.ports.codec import Document, DocumentUnreadable
from tidings.ports.values import dataclass

_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_STRICT = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Decoder(Protocol):
    """The half of a codec that a reader needs."""

    def decode(self, data: bytes) -> Document:
        """The document in ``data``. Raises ``DocumentUnreadable``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """The file system says that no such file is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strange:
    """No regular file: a link, a FIFO, a folder."""

    why: str
    modified_at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A regular file without a document in it, or one that may not be read."""

    why: str
    modified_at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The document, and when its file was last changed (wall nanoseconds).

    ``is_ours``: the file belongs to this user and nobody else may write it.
    """

    document: Document
    modified_at_ns: int
    is_ours: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreachable:
    """The file could not even be looked at: its folder is none, or may not be entered."""

    why: str


Reading: TypeAlias = Absent | Strange | Unreadable | Unreachable | Found


def read_document(path: str, codec: Decoder, *, follows: bool = False) -> Reading:
    """One document of at most 64 KiB. Never raises for what is on disk.

    ``follows``: the name may be a link; what it leads to is judged.
    """
    try:
        descriptor = os.open(path, _STRICT & ~os.O_NOFOLLOW if follows else _STRICT)
    except OSError as error:
        return _unopened(path, error, follows=follows)
    try:
        return _read_open(descriptor, codec)
    finally:
        os.close(descriptor)


def _unopened(path: str, refusal: OSError, *, follows: bool) -> Reading:
    """What stands where nothing could be opened: only now is the name looked at by itself."""
    try:
        node = look(path)
    except OSError as error:
        return Unreachable(why=_words(error))
    if follows and node is not None and stat.S_ISLNK(node.st_mode):
        is_lost = isinstance(refusal, FileNotFoundError)
        why = "a link that leads nowhere" if is_lost else _words(refusal)
        return Strange(why=why, modified_at_ns=node.st_mtime_ns)
    if node is None or isinstance(refusal, FileNotFoundError):
        return Absent()
    if not stat.S_ISREG(node.st_mode):
        return Strange(why="no regular file", modified_at_ns=node.st_mtime_ns)
    return Unreadable(why=_words(refusal), modified_at_ns=node.st_mtime_ns)


def _read_open(descriptor: int, codec: Decoder) -> Reading:
    """Judges the open file itself: its name may be given to another at any moment."""
    node = os.fstat(descriptor)
    if not stat.S_ISREG(node.st_mode):
        return Strange(why="no regular file", modified_at_ns=node.st_mtime_ns)
    try:
        data = _read_whole(descriptor, node.st_size)
        document = codec.decode(data)
    except DocumentUnreadable as error:
        return Unreadable(why=str(error), modified_at_ns=node.st_mtime_ns)
    except OSError as error:
        return Unreadable(why=_words(error), modified_at_ns=node.st_mtime_ns)
    return Found(
        document=document,
        modified_at_ns=node.st_mtime_ns,
        is_ours=node.st_uid == os.geteuid() and not node.st_mode & _OTHERS_MAY_WRITE,
    )


def _read_whole(descriptor: int, size_bytes: int) -> bytes:
    """All bytes of a file that has ``size_bytes``, or what it has by the time it is read. Raises
    ``DocumentUnreadable`` for more than 64 KiB."""
    data = os.read(descriptor, min(size_bytes, LONGEST_BYTES) + 1)
    while len(data) != size_bytes and len(data) <= LONGEST_BYTES:
        part = os.read(descriptor, LONGEST_BYTES + 1 - len(data))
        if not part:
            break
        data += part
    if len(data) > LONGEST_BYTES:
        raise DocumentUnreadable("more than 64 KiB")
    return data


def _words(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
