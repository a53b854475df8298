"""What the system refuses is told with the step that cures it, not with another one."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tidings.adapters.files.atomic import write_whole
from tidings.adapters.locks.lock_files import open_lock_file
from tidings.adapters.sqlite.connections import create_file
from tidings.ports.errors import StateUnwritable


def write(folder: str) -> None:
    write_whole(f"{folder}/file", b"{}")


def lock(folder: str) -> None:
    open_lock_file(folder, "registry.lock")


def store(folder: str) -> None:
    create_file(f"{folder}/tidings.db")


@pytest.mark.parametrize("make", [write, lock, store])
@pytest.mark.parametrize(
    ("number", "step"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EDQUOT, "free some space"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "owner"),
        (errno.ENAMETOOLONG, "shorter"),
        (errno.EIO, "disk"),
    ],
)
def test_the_step_fits_the_refusal(
    make: Callable[[str], None],
    number: int,
    step: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_words: object, **_options: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "mkdir", refuse)
    with pytest.raises(StateUnwritable) as caught:
        make(str(tmp_path / "folder"))
    assert step in caught.value.next_step
    assert ("free some space" in caught.value.next_step) == ("space" in step)
