"""What a session's hooks told so far, folded (D11, D23)."""

from typing import Protocol

from tidings.ports.codec import Document
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractionRow:
    """The folded state of one session. ``spool_offset`` (bytes) moves in the same transaction."""

    session_key: str
    state: Document
    spool_offset: int


class InteractionTransaction(Protocol):
    """Reads and writes of interactions inside one transaction."""

    def interaction(self, session_key: str) -> InteractionRow | None: ...

    def put_interaction(self, row: InteractionRow) -> None: ...
