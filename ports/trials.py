"""The one frame by which a client version shows that its socket can be trusted with more (D19)."""

from enum import StrEnum
from typing import Protocol

from tidings.ports.values import dataclass


class TrialEnd(StrEnum):
    """How a trial ended: its frame was seen in time, or it was not."""

    SEEN = "seen"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRow:
    """The trial of one exact client version on this machine: the message ``ref`` went alone.

    ``client`` names provider and version, such as ``claude 2.1.400``. ``end`` is empty while the
    message itself still tells how it goes.
    """

    client: str
    ref: str
    end: str


class TrialTransaction(Protocol):
    """Reads and writes of trials inside one transaction. A write replaces the row of that client."""

    def trial(self, client: str) -> TrialRow | None: ...

    def put_trial(self, row: TrialRow) -> None: ...
