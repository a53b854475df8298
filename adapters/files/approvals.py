"""The file ``approvals.json`` in the state folder."""

from tidings.adapters.files.atomic import write_whole
from tidings.adapters.files.reading import (
    Absent,
    Found,
    Strange,
    Unreachable,
    Unreadable,
    read_document,
)
from tidings.adapters.wire.small_documents import encode_small
from tidings.ports.approvals import (
    ApprovalsAbsent,
    ApprovalsFact,
    ApprovalsRead,
    ApprovalsUnreadable,
)
from tidings.ports.codec import Codec, ReadOnlyDocument


class FileApprovals:
    """One document of mode 0600 at ``path`` (absolute)."""

    def __init__(self, path: str, *, codec: Codec) -> None:
        self._path = path
        self._codec = codec

    def read(self) -> ApprovalsFact:
        """What is there now."""
        match read_document(self._path, self._codec):
            case Absent():
                return ApprovalsAbsent()
            case Found(is_ours=False):
                return ApprovalsUnreadable(why="somebody else owns it or may write it")
            case Found(document=document):
                return ApprovalsRead(document=document)
            case Strange(why=why) | Unreadable(why=why) | Unreachable(why=why):
                return ApprovalsUnreadable(why=why)

    def write(self, document: ReadOnlyDocument) -> str:
        """Replaces the file."""
        write_whole(self._path, encode_small(document, self._codec))
        return self._path
