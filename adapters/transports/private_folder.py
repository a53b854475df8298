"""The folder for our own sockets: private, ours, and never adopted (design page 1, "Places")."""

import os
import stat

PATH_MAX_BYTES = 99
"""Below the 104 bytes of Darwin and the 108 of Linux, with room (R 4.1)."""


def is_usable(folder: str) -> bool:
    """Makes ``folder`` (0700) if it is missing; True only for a folder that is ours and closed.

    A link, another owner or any permission for others means that somebody else planted it or
    that it was opened up: then it is left as it is and not used.
    """
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    except OSError:
        return False
    return is_private(folder)


def is_private(folder: str) -> bool:
    """Whether ``folder`` is a folder, no link, ours, and closed to everybody else."""
    try:
        node = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(node.st_mode) and node.st_uid == os.getuid() and not node.st_mode & 0o077
