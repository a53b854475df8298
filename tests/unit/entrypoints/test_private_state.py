import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tidings import Tidings
from tidings.adapters.files.atomic import ensure_folder
from tidings.adapters.files.hook_writes import make_folder
from tidings.adapters.locks.lock_files import open_lock_file


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def lock_in(folder: str) -> None:
    os.close(open_lock_file(folder, "registry.lock"))


@pytest.mark.parametrize("make", [ensure_folder, make_folder, lock_in])
def test_whoever_makes_the_state_folder_makes_it_private(
    make: Callable[[str], None], tmp_path: Path
) -> None:
    before = os.umask(0)
    try:
        make(str(tmp_path / "state" / "inside"))
    finally:
        os.umask(before)
    assert [mode_of(tmp_path / "state"), mode_of(tmp_path / "state" / "inside")] == [0o700, 0o700]


def test_all_that_a_first_use_leaves_is_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Tidings.open(str(tmp_path / "state")) as tidings:
            tidings.join("mux").arm()
    finally:
        os.umask(before)
    left = [tmp_path / "state", *(tmp_path / "state").rglob("*")]
    assert len(left) > 6
    assert {mode_of(path) for path in left if path.is_dir()} == {0o700}
    assert {mode_of(path) for path in left if path.is_file()} == {0o600}
