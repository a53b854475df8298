"""Which repositories' opt-ins the operator approved, as one document (D9)."""

from typing import Protocol, TypeAlias

from tidings.ports.codec import Document, ReadOnlyDocument
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalsAbsent:
    """Nothing was ever approved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalsRead:
    """A document that only this user may write; its sense is judged by the domain."""

    document: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalsUnreadable:
    """Something is there that cannot be read or trusted: nothing counts as approved."""

    why: str


ApprovalsFact: TypeAlias = ApprovalsAbsent | ApprovalsRead | ApprovalsUnreadable


class Approvals(Protocol):
    """The file ``approvals.json``. Reads take no lock; a writer holds the registry lock."""

    def read(self) -> ApprovalsFact:
        """What is there now. Never raises for what is on disk."""
        ...

    def write(self, document: ReadOnlyDocument) -> str:
        """Replaces the whole file atomically; returns its path. Raises ``StateUnwritable``,
        also for a document that would not be read back: over 64 KiB, or no UTF-8."""
        ...
