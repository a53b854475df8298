"""Three ways to put text on disk, as the client does it."""

import json
import os
import tempfile

from tidings.ports.codec import ReadOnlyDocument


def write_whole(path: str, text: str, *, mode: int) -> None:
    """Replaces ``path`` at once: a reader sees the old or the new text, never a part."""
    folder = os.path.dirname(path)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
        os.fchmod(stream.fileno(), mode)
    os.replace(temporary, path)


def append_line(path: str, document: ReadOnlyDocument) -> None:
    """One JSON line in one write; makes the folder."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    line = json.dumps(document, ensure_ascii=False) + "\n"
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, line.encode("utf-8", "replace"))
    finally:
        os.close(handle)


def remove(path: str) -> None:
    """Unlinks ``path`` if it is there."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
