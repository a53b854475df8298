"""Reply sockets that dead residents left in our folder: the next one that starts sweeps them."""

import os
import re
from itertools import islice
from typing import Final

from tidings.adapters.transports.own_socket import sweep_node
from tidings.adapters.transports.private_folder import is_private

MOST_AT_ONCE: Final = 256
"""Nodes that are looked at in one sweep; the next one goes on."""

MIN_AGE_SECONDS: Final = 60.0

_NAME: Final = re.compile(r"r-[0-9a-f]{24}\.sock", re.ASCII)


def sweep_folder(folder: str, *, min_age_seconds: float = MIN_AGE_SECONDS) -> int:
    """How many nodes are gone now: sockets of ours, by their name, at which nobody listens.

    Where an answer is still open, its resident opens the same address again. Never raises.
    """
    if not is_private(folder):
        return 0
    try:
        with os.scandir(folder) as entries:
            paths = [entry.path for entry in entries if _NAME.fullmatch(entry.name)]
    except OSError:
        return 0
    oldest = islice(sorted(paths, key=_changed_at), MOST_AT_ONCE)
    return sum(sweep_node(path, min_age_seconds=min_age_seconds) for path in oldest)


def _changed_at(path: str) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0
