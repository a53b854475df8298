"""``history.jsonl``: history written out a line each, and read back leniently (M 7.7, 7.8)."""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress

from tidings.adapters.files.atomic import unwritable
from tidings.adapters.wire.private_files import create_own
from tidings.ports.codec import Codec, Document, DocumentUnreadable, ReadOnlyDocument
from tidings.ports.errors import StateUnreadable, StateUnwritable
from tidings.ports.values import dataclass

LONGEST_LINE = 1_048_576
"""Bytes of a line that are read at once; a longer one does not read as one."""

STANDARD_INPUT = "/dev/stdin"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLines:
    """The lines of a file in their order, and how many were skipped: torn, no object, no ref."""

    lines: tuple[Document, ...]
    skipped: int


def write_lines(path: str, lines: Iterable[ReadOnlyDocument], *, codec: Codec) -> int:
    """Writes them to a draft beside ``path`` and puts it in its place whole; how many they were.

    Raises ``StateUnwritable``, also where anything is at ``path``: it may be the store itself, a
    device, or somebody's only copy, and is left as it is.
    """
    draft = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp"
    count = 0
    try:
        with os.fdopen(create_own(draft, os.O_WRONLY), "wb") as file:
            for line in lines:
                file.write(codec.encode(line) + b"\n")
                count += 1
            file.flush()
            os.fsync(file.fileno())
        _put_in_place(draft, path)
    except BaseException as error:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        if isinstance(error, FileExistsError):
            raise StateUnwritable(
                f"{path} is there already, and an export replaces nothing",
                next_step="name a file that is not there yet",
            ) from error
        if isinstance(error, OSError):
            raise unwritable(path, error) from error
        raise
    return count


def _put_in_place(draft: str, path: str) -> None:
    """A link is made only where nothing is; where there are no links, an empty file holds the place."""
    try:
        os.link(draft, path, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        os.close(create_own(path, os.O_WRONLY))
        os.rename(draft, path)
    else:
        os.unlink(draft)


def read_lines(path: str, *, codec: Codec) -> ReadLines:
    """What can be read of ``path``; nothing where there is no such file. Takes no lock, changes
    nothing. Raises ``StateUnreadable`` for a folder, for a device (standard input alone may be a
    pipe) and for what may not be read."""
    found: list[Document] = []
    skipped = 0
    try:
        with open(path, "rb") as file:
            _require_file(path, os.fstat(file.fileno()).st_mode)
            for data in iter(lambda: file.readline(LONGEST_LINE), b""):
                line = _line(data, codec)
                if line is None:
                    skipped += 1
                else:
                    found.append(line)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise StateUnreadable(
            f"{path} cannot be read: {(error.strerror or str(error)).lower()}",
            next_step="name the file that `tidings message history --export` wrote",
        ) from error
    return ReadLines(lines=tuple(found), skipped=skipped)


def _require_file(path: str, mode: int) -> None:
    if not (stat.S_ISREG(mode) or (path == STANDARD_INPUT and stat.S_ISFIFO(mode))):
        raise OSError("it is no file")


def _line(data: bytes, codec: Codec) -> "Document | None":
    """A whole line with a ref; a missing or zero version is the first one (M 7.7)."""
    if not data.endswith(b"\n"):
        return None
    try:
        line = codec.decode(data)
    except DocumentUnreadable:
        return None
    if not isinstance(line.get("messageRef"), str) or not line["messageRef"]:
        return None
    return line | {"schemaVersion": line.get("schemaVersion") or 1}
