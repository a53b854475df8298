"""The journal: what happened, for people; best effort and without message text."""

from typing import Protocol

from tidings.ports.codec import Value


class Journal(Protocol):
    """``journal.jsonl``."""

    def write(self, event: str, **fields: Value) -> None:
        """One line. Never raises: a journal that cannot be written changes no behaviour (R 319)."""
        ...
