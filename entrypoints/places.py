"""Where state and sockets live (design page 1, "Places"). Light: every command imports it."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass

from tidings.domain.messages.labels import is_plain_path
from tidings.ports.errors import StateUnwritable, UsageError

LONGEST_SOCKET_FOLDER = 60
"""Bytes: leaves room for a hashed name below the 104 bytes that macOS allows (R 4.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Absolute folders. Neither is created before somebody needs it."""

    state: str
    runtime: str


def find_places(environment: Mapping[str, str], *, home: str | None = None) -> Places:
    """``home`` (the embedder's choice) over ``$TIDINGS_HOME`` over XDG over the home directory."""
    state = home or environment.get("TIDINGS_HOME") or _default_state(environment)
    return Places(state=os.path.abspath(state), runtime=_runtime(environment))


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
    """``$TIDINGS_CONFIG`` over XDG over the home directory; it need not exist.

    Raises ``UsageError`` for a ``TIDINGS_CONFIG`` that is not absolute: read from another folder
    it would be another file, and a veto would be missed.
    """
    named = environment.get("TIDINGS_CONFIG") or ""
    if named and not os.path.isabs(named):
        raise UsageError(
            f"TIDINGS_CONFIG={named!r} is not an absolute path", next_step="write it from the root"
        )
    base = environment.get("XDG_CONFIG_HOME") or ""
    if not os.path.isabs(base):
        base = os.path.join(environment.get("HOME") or "/", ".config")
    return named or os.path.join(base, "tidings", "config.toml")
