"""Transcripts in memory, with the tail a file would give."""

from tidings.ports.transcripts import TailFact, TailRead, TailUnreadable

TAIL_BYTES = 256 * 1024


class MemoryTranscripts:
    """Bytes behind paths."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def tail(self, path: str) -> TailFact:
        data = self._files.get(path)
        if data is None:
            return TailUnreadable(why="no such file")
        kept = data[-TAIL_BYTES:]
        if len(kept) < len(data):
            kept = kept.partition(b"\n")[2] if b"\n" in kept else b""
        if not kept.endswith(b"\n"):
            return TailUnreadable(why="no whole line at its end")
        return TailRead(lines=tuple(kept[:-1].split(b"\n")))

    def write(self, path: str, data: bytes) -> None:
        """The file at ``path`` holds ``data`` from now on."""
        self._files[path] = data

    def append(self, path: str, line: bytes) -> None:
        """One more line, line break included by the caller or not (a torn one)."""
        self._files[path] = self._files.get(path, b"") + line
