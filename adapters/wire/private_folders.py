"""Private folders, for every family that keeps state in one (design page 1, "Places"). Light."""

from __future__ import annotations

import os
import stat

PRIVATE = 0o700


def make_private(folder: str) -> None:
    """Makes ``folder`` and every folder above it that is missing, each 0700 whatever the umask.

    A folder that is there already is left as it is. Raises ``OSError``; ``FileExistsError`` where
    something else stands in a folder's place.
    """
    try:
        _make(folder)
    except FileNotFoundError:
        above = os.path.dirname(folder)
        if above in ("", folder):
            raise
        make_private(above)
        _make(folder)  # once: there are folders in which the kernel makes nothing and says so thus


def _make(folder: str) -> None:
    try:
        os.mkdir(folder, PRIVATE)
    except FileExistsError:
        if not _is_folder(folder):
            raise
        return
    os.chmod(folder, PRIVATE)  # a umask may have taken from it


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except OSError:
        return False
