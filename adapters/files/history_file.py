"""``history.jsonl``: history written out a line each, and read back leniently (M 7.7, 7.8)."""

import os
from collections.abc import Iterable
from contextlib import suppress

from tidings.adapters.files.atomic import unwritable
from tidings.adapters.wire.private_files import create_own
from tidings.ports.codec import Codec, Document, DocumentUnreadable, ReadOnlyDocument
from tidings.ports.errors import StateUnreadable
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLines:
    """The lines of a file in their order, and how many were skipped: torn, no object, no ref."""

    lines: tuple[Document, ...]
    skipped: int


def write_lines(path: str, lines: Iterable[ReadOnlyDocument], *, codec: Codec) -> int:
    """Writes them to a draft beside ``path`` and puts it in its place whole; how many they were.

    Raises ``StateUnwritable``; what was there before is then intact.
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
        os.rename(draft, path)
    except BaseException as error:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        if isinstance(error, OSError):
            raise unwritable(path, error) from error
        raise
    return count


def read_lines(path: str, *, codec: Codec) -> ReadLines:
    """What can be read of ``path``; nothing where there is no such file. Takes no lock, changes
    nothing. Raises ``StateUnreadable`` for a folder and for what may not be read."""
    found: list[Document] = []
    skipped = 0
    try:
        with open(path, "rb") as file:
            for data in file:
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
