"""Where a process works, in the words of a label: ``shop:main``. Reads files, runs nothing."""

import os

LONGEST_HEAD = 512
"""Bytes of a HEAD file that are read."""


def place_of(folder: str) -> str:
    """``project:branch`` of a folder, ``project`` where it is no checkout, empty for none."""
    project = os.path.basename(folder.rstrip(os.sep))
    branch = _branch(folder)
    return f"{project}:{branch}" if project and branch else project


def _branch(folder: str) -> str:
    head = _head_file(folder)
    try:
        with open(head, encoding="utf-8", errors="replace") as handle:
            text = handle.read(LONGEST_HEAD).strip()
    except OSError:
        return ""
    return text.removeprefix("ref: refs/heads/") if text.startswith("ref: ") else text[:12]


def _head_file(folder: str) -> str:
    """The HEAD of the checkout around ``folder``; a linked worktree's ``.git`` is a file."""
    while True:
        git = os.path.join(folder, ".git")
        if os.path.isdir(git):
            return os.path.join(git, "HEAD")
        if os.path.isfile(git):
            return os.path.join(_linked(git), "HEAD")
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent


def _linked(git: str) -> str:
    try:
        with open(git, encoding="utf-8", errors="replace") as handle:
            line = handle.read(LONGEST_HEAD).strip()
    except OSError:
        return ""
    return os.path.join(os.path.dirname(git), line.removeprefix("gitdir: "))
