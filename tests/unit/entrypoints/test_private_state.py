import os
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tidings import Tidings
from tidings.adapters.files.atomic import ensure_folder
from tidings.adapters.files.hook_writes import make_folder
from tidings.adapters.locks.lock_files import open_lock_file
from tidings.adapters.sqlite.connections import create_file


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def lock_in(folder: str) -> None:
    os.close(open_lock_file(folder, "registry.lock"))


def store_in(folder: str) -> None:
    create_file(os.path.join(folder, "tidings.db"))


@contextmanager
def with_umask(umask: int) -> Generator[None]:
    before = os.umask(umask)
    try:
        yield
    finally:
        os.umask(before)


UMASKS = pytest.mark.parametrize("umask", [0o000, 0o077, 0o777], ids=oct)


@UMASKS
@pytest.mark.parametrize("make", [ensure_folder, make_folder, lock_in, store_in])
def test_whoever_makes_the_state_folder_makes_every_missing_level_private(
    make: Callable[[str], None], umask: int, tmp_path: Path
) -> None:
    folder = tmp_path / ".local" / "state" / "tidings" / "inside"
    with with_umask(umask):
        make(str(folder))
    made = [folder, *folder.parents[:3]]
    assert made[-1] == tmp_path / ".local"
    assert [mode_of(path) for path in made] == [0o700] * 4
    assert [mode_of(path) for path in folder.iterdir()] in ([], [0o600])


@pytest.mark.parametrize("make", [ensure_folder, make_folder, lock_in, store_in])
def test_a_folder_above_that_was_there_keeps_its_mode(
    make: Callable[[str], None], tmp_path: Path
) -> None:
    (tmp_path / ".local").mkdir()
    (tmp_path / ".local").chmod(0o755)
    make(str(tmp_path / ".local" / "state"))
    assert mode_of(tmp_path / ".local") == 0o755


@UMASKS
def test_all_that_a_first_use_leaves_is_private(umask: int, tmp_path: Path) -> None:
    home = tmp_path / ".local" / "state" / "tidings"
    with with_umask(umask), Tidings.open(str(home)) as tidings:
        tidings.join("mux").arm()
    left = list(tmp_path.rglob("*"))
    assert len(left) > 9
    assert {mode_of(path) for path in left if path.is_dir()} == {0o700}
    assert {mode_of(path) for path in left if path.is_file()} == {0o600}
