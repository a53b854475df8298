"""Files that are named by a session key."""

import os

from tidings.adapters.wire.private_files import folder_flaw, require_no_dangling
from tidings.domain.identity.keys import is_session_key
from tidings.ports.errors import StateUnreadable


def path_of(folder: str, key: str, suffix: str) -> str:
    """The file of ``key``. Raises ``ValueError`` for a text that is no session key."""
    if not is_session_key(key):
        raise ValueError(f"no session key: {key[:40]!r}")
    return os.path.join(folder, key + suffix)


def keys_in(folder: str, suffix: str) -> list[str]:
    """The keys whose file with ``suffix`` is in ``folder``. Raises as ``stems_in`` does."""
    return [stem for stem in stems_in(folder, suffix) if is_session_key(stem)]


def stems_in(folder: str, suffix: str) -> list[str]:
    """The names of all files with ``suffix`` in ``folder``, without it; none where there is no such
    folder.

    Raises ``StateUnreadable`` where the folder cannot be read.
    """
    try:
        names = _names_in(folder)
    except OSError as error:
        raise StateUnreadable(
            f"cannot list {folder}: {error.strerror or error}",
            next_step="check the state folder and its permissions",
        ) from error
    return [name.removesuffix(suffix) for name in names if name.endswith(suffix)]


def require_own_folder(folder: str) -> None:
    """Raises ``StateUnreadable`` for a folder that is somebody else's, or that others can write."""
    flaw = folder_flaw(folder)
    if flaw:
        raise StateUnreadable(
            f"what stands in {folder} cannot be trusted: {flaw}",
            next_step=f"look who wrote there, then give it back to its owner and `chmod 700 {folder}`",
        )


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        require_no_dangling(folder)
        return []
