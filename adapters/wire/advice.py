"""What to do where the system refuses a write. Light."""

from __future__ import annotations

import errno

ROOM = "free some space there"
READ_ONLY = "that file system is read-only: name another folder (TIDINGS_HOME, for state)"
RIGHTS = (
    "give the folder back to its owner (mode 0700), or name one of yours (TIDINGS_HOME, for state)"
)
IN_THE_WAY = "look what stands there, and move it aside"
NO_FOLDER = "name an ordinary folder (TIDINGS_HOME, for state)"
SHORTER = "name a shorter path (TIDINGS_HOME, for state)"
OTHERWISE = "look at the folder and its disk, or name another (TIDINGS_HOME, for state)"

_BY_NUMBER = {
    errno.ENOSPC: ROOM,
    errno.EDQUOT: ROOM,
    errno.EROFS: READ_ONLY,
    errno.EACCES: RIGHTS,
    errno.EPERM: RIGHTS,
    errno.EEXIST: IN_THE_WAY,
    errno.EISDIR: IN_THE_WAY,
    errno.ENOTDIR: IN_THE_WAY,
    errno.ELOOP: IN_THE_WAY,
    errno.ENXIO: IN_THE_WAY,
    errno.ENOENT: NO_FOLDER,
    errno.ENAMETOOLONG: SHORTER,
}


def advice_for(error: OSError) -> str:
    """The next step that fits ``error``; one of our own making names what stands in the way."""
    if error.errno is None:
        return IN_THE_WAY
    return _BY_NUMBER.get(error.errno, OTHERWISE)
