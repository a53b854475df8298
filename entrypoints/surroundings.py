"""Where a process works, in the words of a label: ``shop:main``. Reads files, runs nothing."""

import os
import stat

from tidings.domain.messages.labels import plain_place

LONGEST_HEAD = 512
"""Bytes of a HEAD file that are read."""


def working_folder() -> str:
    """The real path of the working directory; empty where it was removed meanwhile (SX18)."""
    try:
        return storable(os.path.realpath(os.getcwd()))
    except OSError:
        return ""


def standing_folder() -> str:
    """As ``working_folder``; the root for a process whose own folder was removed: it stands in no
    other, and a record names a folder."""
    return working_folder() or os.sep


def storable(text: str) -> str:
    """``text`` as UTF-8 can hold it: bytes of a path or variable that are none become ``?``."""
    return text.encode("utf-8", "replace").decode("utf-8")


def joined_thread(name: str) -> str:
    """The thread id under which this process is the agent ``name``: it may be several (D2)."""
    return f"joined:{name}"


def place_of(folder: str) -> str:
    """``project:branch`` of a folder, ``project`` where it is no checkout, empty for none.

    Both are made plain: the names of folders and branches are anybody's to choose (P10).
    """
    project = os.path.basename(folder.rstrip(os.sep))
    return plain_place(project, _branch(folder) if project else "")


def _branch(folder: str) -> str:
    text = _first_bytes(_head_file(folder))
    return text.removeprefix("ref: refs/heads/") if text.startswith("ref: ") else text[:12]


def _head_file(folder: str) -> str:
    """The HEAD of the checkout around ``folder``; a linked worktree's ``.git`` is a file."""
    while True:
        git = os.path.join(folder, ".git")
        mode = _mode_of(git)
        if stat.S_ISDIR(mode):
            return os.path.join(git, "HEAD")
        if stat.S_ISREG(mode):
            return os.path.join(_linked(git), "HEAD")
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent


def _linked(git: str) -> str:
    return os.path.join(os.path.dirname(git), _first_bytes(git).removeprefix("gitdir: "))


def _first_bytes(file: str) -> str:
    """The beginning of a regular file; of anything else nothing, since a FIFO would block here."""
    if not stat.S_ISREG(_mode_of(file)):
        return ""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(descriptor, LONGEST_HEAD).decode("utf-8", "replace").strip()
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def _mode_of(path: str) -> int:
    """What lies there; 0 for nothing that can be looked at."""
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return 0
