"""Where state and sockets live (design page 1, "Places"). Light: every command imports it."""

import os
import stat
from collections.abc import Mapping

from tidings.domain.messages.labels import is_plain_path
from tidings.ports.errors import StateUnreadable, StateUnwritable, UsageError
from tidings.ports.values import dataclass

LONGEST_SOCKET_FOLDER = 60
"""Bytes: leaves room for a hashed name below the 104 bytes that macOS allows (R 4.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Absolute folders. Neither is created before somebody needs it."""

    state: str
    runtime: str


def find_places(environment: Mapping[str, str], *, home: str | None = None) -> Places:
    """``home`` (the embedder's choice) over ``$TIDINGS_HOME`` over XDG over the home directory.

    Raises ``UsageError`` for a relative ``$TIDINGS_HOME``, ``StateUnwritable`` where there is no
    home, and ``StateUnreadable`` for a state folder that is none, that cannot be looked at or that
    somebody else may change: none of these is a folder without sessions.
    """
    state = os.path.abspath(from_root(home or _chosen(environment) or _default_state(environment)))
    _require_own(state)
    return Places(state=state, runtime=_runtime(environment))


def from_root(path: str) -> str:
    """``path`` as it is meant in this process's working directory, links and dots unresolved.

    Raises ``UsageError`` for a relative one where that directory was removed: it is no place.
    """
    try:
        return path if os.path.isabs(path) else os.path.join(os.getcwd(), path)
    except OSError as error:
        raise UsageError(
            "the working directory is gone",
            next_step="cd to a folder that exists, or write paths from the root",
        ) from error


def _chosen(environment: Mapping[str, str]) -> str:
    chosen = environment.get("TIDINGS_HOME") or ""
    if chosen and not os.path.isabs(chosen):
        raise UsageError(
            f"TIDINGS_HOME is relative ({chosen}), which is another folder in every directory",
            next_step="set it to a path that begins with /, or unset it",
        )
    return chosen


def _require_own(state: str) -> None:
    try:
        why = _trouble(os.stat(state))
    except FileNotFoundError:
        why = "is a link that leads nowhere" if _is_link(state) else ""
    except OSError as error:
        why = f"cannot be looked at: {(error.strerror or str(error)).lower()}"
    if why:
        raise StateUnreadable(
            f"the state folder {state} {why}",
            next_step="make it a folder that only you can change (`chmod go-w`), or set"
            " TIDINGS_HOME to a private folder",
        )


def _trouble(found: os.stat_result) -> str:
    """What speaks against a state folder. That others may read it is closed by the first write."""
    if not stat.S_ISDIR(found.st_mode):
        return "is no folder"
    if found.st_uid != os.geteuid():
        return f"belongs to another user ({found.st_uid})"
    return "may be changed by others" if stat.S_IMODE(found.st_mode) & 0o022 else ""


def _is_link(path: str) -> bool:
    """Not merely there: another process may have made the folder a moment ago."""
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except OSError:
        return False


def _default_state(environment: Mapping[str, str]) -> str:
    base = environment.get("XDG_STATE_HOME") or ""
    if os.path.isabs(base):
        return os.path.join(base, "tidings")
    user = environment.get("HOME") or ""
    if not os.path.isabs(user):
        raise StateUnwritable(
            "there is no home directory to keep state in",
            next_step="set TIDINGS_HOME to a private folder",
        )
    return os.path.join(user, ".local", "state", "tidings")


def _runtime(environment: Mapping[str, str]) -> str:
    """``$XDG_RUNTIME_DIR/tidings`` when plain, private and short, else ``/tmp/tidings-<uid>``.

    Plain, because a frame shows the address of a socket in it outside the text of the message.
    """
    base = environment.get("XDG_RUNTIME_DIR") or ""
    if is_plain_path(base) and len(base) <= LONGEST_SOCKET_FOLDER and _private(base):
        return os.path.join(base, "tidings")
    return f"/tmp/tidings-{os.getuid()}"


def _private(folder: str) -> bool:
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    mine = found.st_uid == os.getuid()
    return stat.S_ISDIR(found.st_mode) and mine and not stat.S_IMODE(found.st_mode) & 0o077


def find_settings_file(environment: Mapping[str, str]) -> str:
    """``$TIDINGS_CONFIG`` over XDG over the home directory; it need not exist. Empty where nothing
    says where it would be: then it may hold a veto that nobody can read.

    Raises ``UsageError`` for a ``TIDINGS_CONFIG`` that is not absolute: read from another folder
    it would be another file, and a veto would be missed.
    """
    named = environment.get("TIDINGS_CONFIG") or ""
    if named and not os.path.isabs(named):
        raise UsageError(
            f"TIDINGS_CONFIG={named!r} is not an absolute path", next_step="write it from the root"
        )
    base, user = environment.get("XDG_CONFIG_HOME") or "", environment.get("HOME") or ""
    if not os.path.isabs(base):
        base = os.path.join(user, ".config") if os.path.isabs(user) else ""
    return named or (os.path.join(base, "tidings", "config.toml") if base else "")
