"""Approvals in memory."""

from copy import deepcopy

from tidings.adapters.wire.json_codec import JsonCodec
from tidings.adapters.wire.small_documents import encode_small
from tidings.ports.approvals import (
    ApprovalsAbsent,
    ApprovalsFact,
    ApprovalsRead,
    ApprovalsUnreadable,
)
from tidings.ports.codec import ReadOnlyDocument


class MemoryApprovals:
    """One document, copied in and out as a file would do it."""

    def __init__(self) -> None:
        self._fact: ApprovalsFact = ApprovalsAbsent()

    def read(self) -> ApprovalsFact:
        """What is there now."""
        return deepcopy(self._fact)

    def write(self, document: ReadOnlyDocument) -> str:
        """Replaces it."""
        encode_small(document, JsonCodec())  # the bounds that a file has
        self._fact = ApprovalsRead(document=deepcopy(dict(document)))
        return "memory:approvals.json"

    def spoil(self, why: str = "no JSON") -> None:
        """Puts something in its place that cannot be read."""
        self._fact = ApprovalsUnreadable(why=why)
