"""A journal that keeps its lines."""

from tidings.ports.codec import Document, Value


class MemoryJournal:
    """What was written, oldest first, as the documents that a file would hold (without time)."""

    def __init__(self) -> None:
        self.entries: list[Document] = []

    def write(self, event: str, **fields: Value) -> None:
        """Keeps one line."""
        self.entries.append({"event": event, **fields})
