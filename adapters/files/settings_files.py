"""``.tidings.toml`` of a repository and the user's ``config.toml`` (S 1.8, D9)."""

import os

from tidings.adapters.files.reading import (
    Absent,
    Found,
    Strange,
    Unreachable,
    Unreadable,
    read_document,
)
from tidings.adapters.wire.toml_reading import decode_toml
from tidings.domain.identity.digest import sha256
from tidings.ports.codec import Document
from tidings.ports.settings import (
    NO_PLACE,
    SettingsAbsent,
    SettingsFact,
    SettingsRead,
    SettingsWrong,
)

REPOSITORY_FILE = ".tidings.toml"


class TomlSettings:
    """Reads both files anew at each call.

    ``personal_file`` is absolute and need not exist; empty means that nobody knows where it is.
    """

    def __init__(self, *, personal_file: str) -> None:
        self._personal_file = personal_file

    def repository(self, folder: str) -> SettingsFact:
        """The nearest file from ``folder`` upward, links in the way resolved first.

        One that cannot be looked at counts as there: it might say no.
        """
        if not os.path.isabs(folder):
            return SettingsAbsent()
        folder = os.path.realpath(folder)
        while True:
            fact = _read(os.path.join(folder, REPOSITORY_FILE))
            parent = os.path.dirname(folder)
            if not isinstance(fact, SettingsAbsent) or parent == folder:
                return fact
            folder = parent

    def personal(self) -> SettingsFact:
        """The user's own file. It may be a link, as people keep their settings elsewhere; the file
        that it leads to must be theirs alone. In a repository anybody may have put the link."""
        if not self._personal_file:
            return _wrong(
                NO_PLACE, "no home directory says where it is", "set HOME or TIDINGS_CONFIG"
            )
        return _read(self._personal_file, follows=True)


class _Digesting:
    """Decodes, and keeps the digest of exactly the bytes that were decoded."""

    digest = ""

    def decode(self, data: bytes) -> Document:
        self.digest = sha256(data).hexdigest()
        return decode_toml(data)


def _read(path: str, *, follows: bool = False) -> SettingsFact:
    decoder = _Digesting()
    match read_document(path, decoder, follows=follows):
        case Absent():
            return SettingsAbsent()
        case Found(is_ours=False):
            return _wrong(path, "somebody else owns it or may write it", "make it yours alone")
        case Found(document=document):
            return SettingsRead(path=path, digest=decoder.digest, document=document)
        case Strange(why=why):
            return _wrong(path, why, "put a plain file there")
        case Unreadable(why=why) | Unreachable(why=why):
            return _wrong(path, why, "mend it or move it aside")


def _wrong(path: str, why: str, step: str) -> SettingsWrong:
    return SettingsWrong(path=path, why=f"{why}; {step}")
