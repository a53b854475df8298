"""Files that only we write, opened without waiting and judged before they are used. Light.

Whatever was planted in such a file's place (a link, a FIFO, a folder, a file of somebody else) is
neither followed, waited for, repaired nor replaced. Only the kernel's ENOENT means that nothing is
there: a place that cannot be looked at is no empty place (P2).
"""

from __future__ import annotations

import os
import stat

PRIVATE_FILE = 0o600
_WARY = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


class NotOurs(OSError):
    """What stands there is no regular file of ours that nobody else may write."""


def flaw_of(found: os.stat_result) -> str:
    """What speaks against a file as one of ours, in a few words; empty where nothing does."""
    if not stat.S_ISREG(found.st_mode):
        return "it is no regular file"
    if found.st_uid != os.geteuid():
        return "it belongs to somebody else"
    return "others may write it" if found.st_mode & _OTHERS_MAY_WRITE else ""


def folder_flaw(folder: str) -> str:
    """What speaks against trusting what stands in ``folder``; empty where nothing does, and where
    it cannot be looked at: whoever reads in it says so."""
    try:
        found = os.stat(folder)
    except OSError:
        return ""
    if found.st_uid != os.geteuid():
        return "its folder belongs to somebody else"
    return "others may write its folder" if found.st_mode & _OTHERS_MAY_WRITE else ""


def look(path: str) -> os.stat_result | None:
    """The node at ``path`` itself; None only where the kernel says that there is none.

    Raises ``OSError``: also ``NotOurs`` where the folder around it is a link that leads nowhere.
    """
    try:
        return os.lstat(path)
    except FileNotFoundError:
        require_no_dangling(os.path.dirname(path))
    return None


def look_in_found(path: str) -> os.stat_result | None:
    """As ``look``, in a folder in which something was just found: so it is no link to nowhere."""
    try:
        return os.lstat(path)
    except FileNotFoundError:
        return None


def require_no_dangling(folder: str) -> None:
    """Raises ``NotOurs`` where ``folder`` is a link that leads nowhere: no folder, nor none."""
    try:
        os.stat(folder)
    except FileNotFoundError:
        try:
            found = os.lstat(folder)
        except FileNotFoundError:
            return
        if stat.S_ISLNK(found.st_mode):  # else somebody made the folder between the two looks
            raise NotOurs(f"{folder} is a link that leads nowhere") from None


def open_own(path: str, flags: int) -> int:
    """A descriptor of an existing file of ours. Raises ``OSError``, also ``NotOurs``."""
    try:
        descriptor = os.open(path, flags | _WARY)
    except FileNotFoundError:
        require_no_dangling(os.path.dirname(path))
        raise
    flaw = flaw_of(os.fstat(descriptor))
    if flaw:
        os.close(descriptor)
        raise NotOurs(flaw)
    return descriptor


def create_own(path: str, flags: int) -> int:
    """A descriptor of a new file, 0600 whatever the umask. Raises ``OSError``."""
    descriptor = os.open(path, flags | _WARY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    try:
        os.fchmod(descriptor, PRIVATE_FILE)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def open_or_create(path: str, flags: int) -> int:
    """A descriptor of our file at ``path``, which is made if it is missing. Raises ``OSError``."""
    try:
        return open_own(path, flags)
    except FileNotFoundError:
        pass
    try:
        return create_own(path, flags)
    except FileExistsError:
        return open_own(path, flags)
