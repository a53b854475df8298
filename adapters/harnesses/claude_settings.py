"""The user's settings file of Claude Code, which the user and the client write too: read strictly,
replaced whole, and only while it is still what was read."""

import contextlib
import os
import stat

from tidings.adapters.wire.private_files import create_own
from tidings.ports.codec import Codec, DocumentUnreadable
from tidings.ports.errors import StateUnreadable, StateUnwritable, TidingsError, UsageError
from tidings.ports.values import dataclass

NAME = "settings.json"
LARGEST_BYTES = 4 * 1024 * 1024
NEW_MODE = 0o600
EMPTY = "{}\n"
_WARY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
UNCHANGED = "nothing was changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsNow:
    """The file as it was read: ``path`` is where the bytes are, links followed. ``text`` of a file
    that is not there is an empty object."""

    path: str
    text: str
    existed: bool
    mode: int = NEW_MODE


class SettingsMoved(TidingsError):
    """Somebody else wrote the file between our reading and our writing; it is as they left it."""

    exit_code = 6


class ClaudeSettings:
    """``settings.json`` in the client's configuration ``folder`` (absolute)."""

    def __init__(self, folder: str, *, codec: Codec) -> None:
        self.path = os.path.join(folder, NAME)
        self._folder = folder
        self._codec = codec

    def read(self) -> SettingsNow:
        """What is there now: one JSON object in a file that is ours, or no file at all.

        Raises ``UsageError`` where the client's folder is missing, ``StateUnreadable`` for what
        cannot be read or is not ours, ``StateUnwritable`` for a file that is read-only.
        """
        self._require_folder()
        path = self._followed()
        try:
            descriptor = os.open(path, _WARY)
        except FileNotFoundError:
            return SettingsNow(path=path, text=EMPTY, existed=False)
        except OSError as error:
            raise _unreadable(path, _words(error), "look what stands there") from error
        try:
            return self._read_open(path, descriptor)
        finally:
            os.close(descriptor)

    def replace(self, before: SettingsNow, text: str | None) -> None:
        """Puts ``text`` in its place, or takes the file away for None. Raises ``SettingsMoved``
        where it is not what ``before`` was, ``StateUnwritable``; it is then as it was."""
        draft = f"{before.path}.{os.getpid()}-{os.urandom(4).hex()}.tmp"
        try:
            if text is not None:
                _write(draft, text.encode(), before.mode)
            if self.read() != before:
                raise SettingsMoved(f"{before.path} changed meanwhile", next_step="run it again")
            if text is not None:
                os.rename(draft, before.path)
            elif before.existed:
                os.unlink(before.path)
            _sync(os.path.dirname(before.path))
        except OSError as error:
            raise StateUnwritable(
                f"cannot write {before.path}: {_words(error)}",
                next_step=f"free some space, or make its folder yours to write; {UNCHANGED}",
            ) from error
        finally:
            with contextlib.suppress(OSError):
                os.unlink(draft)

    def _require_folder(self) -> None:
        try:
            found = os.stat(self._folder)
        except FileNotFoundError as error:
            raise UsageError(
                f"there is no folder {self._folder}, so Claude Code never ran here",
                next_step="start `claude` once, or set CLAUDE_CONFIG_DIR to its folder",
            ) from error
        except OSError as error:
            raise _unreadable(self._folder, _words(error), "look what stands there") from error
        if not stat.S_ISDIR(found.st_mode):
            raise _unreadable(self._folder, "it is no folder", "look what stands there")

    def _followed(self) -> str:
        """Where the file is: a link, as those who keep their settings elsewhere have one, is
        followed to the file that it leads to."""
        try:
            return os.path.realpath(self.path, strict=True)
        except FileNotFoundError:
            with contextlib.suppress(FileNotFoundError):
                os.lstat(self.path)
                raise _unreadable(
                    self.path, "it is a link that leads nowhere", "mend or remove it"
                ) from None
            return os.path.join(os.path.realpath(self._folder), NAME)
        except OSError as error:
            raise _unreadable(self.path, _words(error), "look what stands there") from error

    def _read_open(self, path: str, descriptor: int) -> SettingsNow:
        found = os.fstat(descriptor)
        _require_ours(path, found)
        with open(descriptor, "rb", closefd=False) as stream:
            data = stream.read(LARGEST_BYTES + 1)
        try:
            if len(data) > LARGEST_BYTES:
                raise DocumentUnreadable("more than 4 MiB")
            self._codec.decode(data)
        except DocumentUnreadable as error:
            raise _unreadable(
                path, f"it is {error}", "mend it (the client reads plain JSON, without comments)"
            ) from error
        mode = stat.S_IMODE(found.st_mode)
        return SettingsNow(path=path, text=data.decode(), existed=True, mode=mode)


def _require_ours(path: str, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise _unreadable(path, "it is no regular file", "look what stands there")
    if found.st_uid != os.geteuid():
        raise _unreadable(
            path,
            "it belongs to somebody else",
            "make it a file of your own, or let its owner add what `tidings setup --dry-run`"
            " shows for a file of yours",
        )
    if found.st_mode & stat.S_IWOTH:
        raise _unreadable(path, "everybody may write it", f"`chmod o-w {path}`")
    if not found.st_mode & stat.S_IWUSR:
        raise StateUnwritable(
            f"{path} is read-only", next_step=f"`chmod u+w` it and try again; {UNCHANGED}"
        )


def _unreadable(path: str, why: str, step: str) -> StateUnreadable:
    return StateUnreadable(f"{path} cannot be used: {why}", next_step=f"{step}; {UNCHANGED}")


def _write(draft: str, data: bytes, mode: int) -> None:
    descriptor = create_own(draft, os.O_WRONLY)
    try:
        os.fchmod(descriptor, mode)
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _words(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
