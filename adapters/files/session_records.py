"""The folder ``sessions/``: one record per session key, ``<key>.json`` (S 1.4, D2), and what is
left of the form before keys, ``<pid>.json`` (S 4.10)."""

import os
from collections.abc import Iterator

from tidings.adapters.files.atomic import remove, write_whole
from tidings.adapters.files.listing import path_of, require_own_folder, stems_in
from tidings.adapters.files.reading import (
    Absent,
    Found,
    Reading,
    Strange,
    Unreachable,
    Unreadable,
    read_document,
)
from tidings.adapters.wire.small_documents import encode_small
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
        """The record of ``key``; what is no regular file is a malformed one. Raises
        ``StateUnreadable`` where the folder is none or may not be entered: that is no record, and
        no absence of one. So does one that others can write: they may have put it there."""
        if not _is_record(key):
            return None
        require_own_folder(self._folder)
        path = self._path(key)
        return _fact(key, path, read_document(path, self._codec))

    def read_all(self) -> Iterator[RecordFact]:
        """Every record; one that vanishes meanwhile is skipped, and so is what is no regular file
        (S 9.4). Raises ``StateUnreadable`` where the folder cannot be listed or others can write it."""
        require_own_folder(self._folder)
        stems = filter(_is_record, stems_in(self._folder, SUFFIX))
        return (fact for fact in map(self._listed, stems) if fact is not None)

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        """Replaces the file."""
        path = path_of(self._folder, key, SUFFIX)
        write_whole(path, encode_small(document, self._codec))
        return path

    def remove(self, key: str) -> bool:
        """Unlinks the file."""
        return remove(self._path(key))

    def _listed(self, key: str) -> RecordFact | None:
        path = f"{self._folder}/{key}{SUFFIX}"  # the name came from there
        reading = read_document(path, self._codec)
        return None if isinstance(reading, Strange) else _fact(key, path, reading)

    def _path(self, key: str) -> str:
        if is_legacy_name(key):
            return os.path.join(self._folder, key + SUFFIX)
        return path_of(self._folder, key, SUFFIX)


def _is_record(name: str) -> bool:
    return is_session_key(name) or is_legacy_name(name)


def _fact(key: str, path: str, reading: Reading) -> RecordFact | None:
    match reading:
        case Found(is_ours=False, modified_at_ns=at_ns):
            return RecordMalformed(
                key=key,
                path=path,
                modified_at_ns=at_ns,
                why="somebody else owns it or may write it",
            )
        case Found(document=document, modified_at_ns=at_ns):
            return RecordRead(key=key, path=path, modified_at_ns=at_ns, document=document)
        case Absent():
            return None
        case Unreachable(why=why):
            raise StateUnreadable(
                f"{path} cannot be looked at: {why}",
                next_step="check the state folder and its permissions",
            )
        case Unreadable(why=why, modified_at_ns=at_ns) | Strange(why=why, modified_at_ns=at_ns):
            return RecordMalformed(key=key, path=path, modified_at_ns=at_ns, why=why)
