"""What a client does with messages that come in at its socket, by its own settings (H 3)."""

from enum import StrEnum
from typing import Protocol


class InboundPolicy(StrEnum):
    """The client's word. ``unset`` is its own default; ``unknown`` could not be read, or is a word
    that we do not know."""

    UNSET = "unset"
    ACCEPT = "accept"
    HOLD = "hold"
    REFUSE = "refuse"
    UNKNOWN = "unknown"


class HarnessInbound(Protocol):
    """The client's settings for one working folder."""

    def policy(self, cwd: str) -> InboundPolicy:
        """The setting that counts for a session that began in ``cwd``. Never raises."""
        ...
