"""The folder ``consent/``: ``<key>.json`` and, from a disarm in distress, ``<key>.off.json`` (D7)."""

import os
from collections.abc import Sequence

from tidings.adapters.files.atomic import discard, remove, take_aside, write_over, write_whole
from tidings.adapters.files.listing import keys_in, path_of
from tidings.adapters.files.reading import (
    Absent,
    Found,
    Strange,
    Unreachable,
    Unreadable,
    read_document,
)
from tidings.adapters.wire.private_files import folder_flaw
from tidings.adapters.wire.small_documents import encode_small
from tidings.domain.identity.keys import is_session_key
from tidings.ports.codec import Codec, ReadOnlyDocument
from tidings.ports.consent import MarkFact, MarkMissing, MarkPair, MarkRead, MarkUnreadable

MAIN, OFF = ".json", ".off.json"


class FileConsentMarks:
    """Consent marks as files of mode 0600. ``folder`` (absolute) is created by the first write."""

    def __init__(self, folder: str, *, codec: Codec) -> None:
        self._folder = folder
        self._codec = codec

    def read(self, key: str) -> MarkPair:
        """Both files of ``key``. What stands in a folder that others can write says nothing."""
        flaw = folder_flaw(self._folder)
        if flaw:
            wrong = MarkUnreadable(why=flaw)
            return MarkPair(main=wrong, off=wrong)
        return MarkPair(main=self._fact(key, MAIN), off=self._fact(key, OFF))

    def path(self, key: str) -> str:
        """Where the main file of ``key`` is, or would be."""
        return path_of(self._folder, key, MAIN)

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        """Replaces the main file."""
        return self._replace(key, MAIN, document)

    def write_over(self, key: str, document: ReadOnlyDocument) -> str:
        """Writes into the main file that is there; its own room is enough for it."""
        path = path_of(self._folder, key, MAIN)
        write_over(path, encode_small(document, self._codec))
        return path

    def write_off(self, key: str, document: ReadOnlyDocument) -> str:
        """Replaces the emergency file."""
        return self._replace(key, OFF, document)

    def take_off(self, key: str) -> MarkFact:
        """Renames the emergency file aside, reads what was taken, and unlinks it."""
        path = path_of(self._folder, key, OFF)
        aside = take_aside(path)
        if aside is None:
            return MarkMissing()
        fact = self._at(aside)
        discard(aside)
        return fact

    def remove(self, key: str) -> bool:
        """Unlinks the main file first: what is left between the two steps only says no."""
        was_there = [remove(path_of(self._folder, key, suffix)) for suffix in (MAIN, OFF)]
        return any(was_there)

    def keys(self) -> Sequence[str]:
        """The session keys with a file."""
        return sorted({*keys_in(self._folder, MAIN), *keys_in(self._folder, OFF)})

    def _fact(self, key: str, suffix: str) -> MarkFact:
        if not is_session_key(key):
            return MarkUnreadable(why="no session key")
        return self._at(os.path.join(self._folder, key + suffix))

    def _at(self, path: str) -> MarkFact:
        match read_document(path, self._codec):
            case Absent():
                return MarkMissing()
            case Found(is_ours=False):
                return MarkUnreadable(why="somebody else owns it or may write it")
            case Found(document=document):
                return MarkRead(document=document)
            case Strange(why=why) | Unreadable(why=why) | Unreachable(why=why):
                return MarkUnreadable(why=why)

    def _replace(self, key: str, suffix: str, document: ReadOnlyDocument) -> str:
        path = path_of(self._folder, key, suffix)
        write_whole(path, encode_small(document, self._codec))
        return path
