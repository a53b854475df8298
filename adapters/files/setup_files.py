"""What setup keeps in the state folder: the plugin's marketplace, and per settings file a backup
and a memory of what was added."""

import os
from collections.abc import Sequence

from tidings.adapters.files.atomic import remove, write_whole
from tidings.adapters.files.reading import Absent, Found, read_document
from tidings.adapters.wire.private_files import open_own
from tidings.domain.identity.digest import sha256
from tidings.domain.setup.plugin import PluginFile
from tidings.domain.setup.remembered import Remembered, parse_remembered
from tidings.ports.codec import Codec
from tidings.ports.errors import StateUnreadable

EXECUTABLE = 0o700
MEMORY, BACKUP = "added.json", "settings.json"


class SetupFiles:
    """``state`` is the state folder (absolute)."""

    def __init__(self, state: str, *, codec: Codec) -> None:
        self.marketplace = os.path.join(state, "claude-plugin")
        self._kept = os.path.join(state, "setup")
        self._codec = codec

    def is_current(self, files: Sequence[PluginFile]) -> bool:
        """Whether the marketplace folder holds ``files`` as they are."""
        return all(self._is_there(file) for file in files)

    def write_marketplace(self, files: Sequence[PluginFile]) -> None:
        """Writes those that differ. Raises ``StateUnwritable``."""
        for file in files:
            if not self._is_there(file):
                path = self._path(file)
                write_whole(path, file.data)
                if file.executable:
                    os.chmod(path, EXECUTABLE)

    def remove_marketplace(self, files: Sequence[PluginFile]) -> None:
        """Removes ``files`` and the folders that this empties; what else lies there stays."""
        for file in files:
            remove(self._path(file))
        folders = {os.path.dirname(self._path(file)) for file in files}
        above = {os.path.dirname(folder) for folder in folders}
        for folder in sorted({*folders, *above, self.marketplace}, key=len, reverse=True):
            if folder.startswith(self.marketplace):
                _remove_empty(folder)

    def backup_path(self, settings: str) -> str:
        """Where the backup of a settings file is."""
        return os.path.join(self._folder(settings), BACKUP)

    def remembered(self, settings: str) -> Remembered | None:
        """What was added to the file at ``settings``; None where nothing was. Raises
        ``StateUnreadable``."""
        path = os.path.join(self._folder(settings), MEMORY)
        reading = read_document(path, self._codec)
        try:
            match reading:
                case Absent():
                    return None
                case Found(is_ours=True, document=document):
                    return parse_remembered(document)
                case _:
                    raise ValueError("it is no file of ours")
        except ValueError as error:
            raise StateUnreadable(
                f"{path} cannot be used: {error}",
                next_step="move it aside; then only what is Tidings' by its name is removed",
            ) from error

    def backup(self, settings: str) -> str | None:
        """The settings without us, as they were kept; None where they were not."""
        try:
            descriptor = open_own(self.backup_path(settings), os.O_RDONLY)
        except OSError:
            return None
        with open(descriptor, "rb") as stream:
            return stream.read().decode("utf-8", "strict")

    def remember(self, settings: str, remembered: Remembered, *, backup: str) -> None:
        """Keeps both, the backup first. Raises ``StateUnwritable``."""
        folder = self._folder(settings)
        write_whole(self.backup_path(settings), backup.encode())
        data = self._codec.encode(remembered.document())
        write_whole(os.path.join(folder, MEMORY), data + b"\n")

    def forget(self, settings: str) -> None:
        """Drops the memory; the backup stays."""
        remove(os.path.join(self._folder(settings), MEMORY))

    def _folder(self, settings: str) -> str:
        return os.path.join(self._kept, sha256(settings.encode(errors="replace")).hexdigest()[:16])

    def _path(self, file: PluginFile) -> str:
        return os.path.join(self.marketplace, *file.path.split("/"))

    def _is_there(self, file: PluginFile) -> bool:
        try:
            descriptor = open_own(self._path(file), os.O_RDONLY)
        except OSError:
            return False
        with open(descriptor, "rb") as stream:
            mode = os.fstat(descriptor).st_mode
            return stream.read() == file.data and (not file.executable or bool(mode & 0o100))


def _remove_empty(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:
        return
