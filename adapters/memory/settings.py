"""A repository's and a user's settings in memory."""

from copy import deepcopy

from tidings.domain.identity.digest import sha256
from tidings.ports.codec import Document
from tidings.ports.settings import SettingsAbsent, SettingsFact, SettingsRead, SettingsWrong

PERSONAL = "memory:config.toml"


class MemorySettings:
    """``opt_in``, ``write_personal`` and ``spoil`` are what a person does in an editor."""

    def __init__(self) -> None:
        self._files: dict[str, SettingsFact] = {}

    def repository(self, folder: str) -> SettingsFact:
        """The nearest file from ``folder`` upward."""
        while folder.startswith("/"):
            fact = self._fact(_file_in(folder))
            if not isinstance(fact, SettingsAbsent) or folder == "/":
                return fact
            folder = folder.rpartition("/")[0] or "/"
        return SettingsAbsent()

    def personal(self) -> SettingsFact:
        """The user's own file."""
        return self._fact(PERSONAL)

    def write_repository(self, folder: str, document: Document) -> None:
        """Writes the file of a repository."""
        self._put(_file_in(folder), document)

    def write_personal(self, document: Document) -> None:
        """Writes the user's file."""
        self._put(PERSONAL, document)

    def spoil(self, path: str, why: str = "no toml") -> None:
        """Puts something in the file's place that cannot be read; ``path`` is a folder's, or
        ``PERSONAL``."""
        name = path if path == PERSONAL else _file_in(path)
        self._files[name] = SettingsWrong(path=name, why=why)

    def remove(self, path: str) -> None:
        """Takes the file of a folder, or ``PERSONAL``, away."""
        self._files.pop(path if path == PERSONAL else _file_in(path), None)

    def _fact(self, path: str) -> SettingsFact:
        return deepcopy(self._files.get(path, SettingsAbsent()))

    def _put(self, path: str, document: Document) -> None:
        digest = sha256(repr(document).encode()).hexdigest()
        self._files[path] = SettingsRead(path=path, digest=digest, document=deepcopy(document))


def _file_in(folder: str) -> str:
    return f"{folder.rstrip('/')}/.tidings.toml"
