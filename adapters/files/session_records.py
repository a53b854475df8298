"""The folder ``sessions/``: one record per session key, ``<key>.json`` (S 1.4, D2), and what is
left of the form before keys, ``<pid>.json`` (S 4.10)."""

import os
from collections.abc import Sequence

from tidings.adapters.files.atomic import remove, write_whole
from tidings.adapters.files.listing import path_of, stems_in
from tidings.adapters.files.reading import (
    Absent,
    Found,
    Strange,
    Unreachable,
    Unreadable,
    read_document,
)
from tidings.domain.identity.keys import is_legacy_name, is_session_key
from tidings.ports.codec import Codec, ReadOnlyDocument
from tidings.ports.errors import StateUnreadable
from tidings.ports.sessions import RecordFact, RecordMalformed, RecordRead

SUFFIX = ".json"


class FileSessionRecords:
    """Session records as files of mode 0600. ``folder`` (absolute) is created by the first write."""

    def __init__(self, folder: str, *, codec: Codec) -> None:
        self._folder = folder
        self._codec = codec

    def read(self, key: str) -> RecordFact | None:
        """The record of ``key``; None for what is no regular file, too. Raises ``StateUnreadable``
        where the folder is none or may not be entered: that is no record, and no absence of one."""
        if not (is_session_key(key) or is_legacy_name(key)):
            return None
        path = os.path.join(self._folder, key + SUFFIX)
        match read_document(path, self._codec):
            case Absent() | Strange():
                return None
            case Found(document=document, modified_at_ns=at_ns):
                return RecordRead(key=key, path=path, modified_at_ns=at_ns, document=document)
            case Unreachable(why=why):
                raise StateUnreadable(
                    f"{path} cannot be looked at: {why}",
                    next_step="check the state folder and its permissions",
                )
            case Unreadable(why=why, modified_at_ns=at_ns):
                return RecordMalformed(key=key, path=path, modified_at_ns=at_ns, why=why)

    def read_all(self) -> Sequence[RecordFact]:
        """Every record; one that vanishes meanwhile is skipped. Raises ``StateUnreadable`` where
        the folder cannot be listed."""
        facts = map(self.read, stems_in(self._folder, SUFFIX))
        return [fact for fact in facts if fact is not None]

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        """Replaces the file."""
        path = path_of(self._folder, key, SUFFIX)
        write_whole(path, self._codec.encode(document))
        return path

    def remove(self, key: str) -> bool:
        """Unlinks the file."""
        if is_legacy_name(key):
            return remove(os.path.join(self._folder, key + SUFFIX))
        return remove(path_of(self._folder, key, SUFFIX))
