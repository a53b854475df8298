"""Private folders, for every family that keeps state in one (design page 1, "Places"). Light."""

from __future__ import annotations

import os

PRIVATE = 0o700


def make_private(folder: str) -> None:
    """Makes ``folder`` and the state folder around it, both 0700. Raises ``OSError``.

    One ``makedirs`` would not do: since Python 3.7 its mode reaches the last folder only, and the
    state folder itself would be as open as the umask allows.
    """
    os.makedirs(os.path.dirname(folder) or ".", mode=PRIVATE, exist_ok=True)
    os.makedirs(folder, mode=PRIVATE, exist_ok=True)
