"""What killed writers left is taken away by later ones: old drafts of processes that are gone."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from tidings.adapters.files.atomic import MOST_SWEPT, write_whole

TWO_HOURS_ON = time.time() + 2 * 3600


@pytest.fixture(autouse=True)
def two_hours_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test leaves is old: no file's change of name can be dated back."""
    monkeypatch.setattr(time, "time", lambda: TWO_HOURS_ON)


@pytest.fixture(scope="module")
def gone() -> int:
    """The pid of a process that has ended."""
    with subprocess.Popen(["true"]) as process:
        pass
    return process.pid


def leave(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("half")
    return path


def test_an_old_draft_of_a_process_that_is_gone_is_swept(tmp_path: Path, gone: int) -> None:
    leave(tmp_path, f".41-0123abcd.json.{gone}-0011aabb.tmp")
    write_whole(str(tmp_path / "other.json"), b"{}")
    assert os.listdir(tmp_path) == ["other.json"]


def test_nothing_else_is_touched(tmp_path: Path, gone: int) -> None:
    (tmp_path / f".folder.{gone}-0011aabb.tmp").mkdir()
    young = leave(tmp_path, f".young.{gone}-0011aabb.tmp")
    os.utime(young, (TWO_HOURS_ON - 60, TWO_HOURS_ON - 60))
    for name in (
        f".living.{os.getpid()}-0011aabb.tmp",
        f"shown.{gone}-0011aabb.tmp",
        f".x.{gone}-0011aabb.json",
        f".x.{gone}-short.tmp",
        f".x.{gone}.tmp",
        ".x.99999999999999999999-0011aabb.tmp",
        ".x.0-0011aabb.tmp",
        ".arm-x.tmp",
    ):
        leave(tmp_path, name)
    before = sorted(os.listdir(tmp_path))
    write_whole(str(tmp_path / "other.json"), b"{}")
    assert sorted(os.listdir(tmp_path)) == sorted([*before, "other.json"])


def test_one_write_sweeps_so_many_and_the_next_the_rest(tmp_path: Path, gone: int) -> None:
    for number in range(MOST_SWEPT + 3):
        leave(tmp_path, f".x.{gone}-{number:08x}.tmp")
    write_whole(str(tmp_path / "x"), b"1")
    assert len(os.listdir(tmp_path)) == 1 + 3
    write_whole(str(tmp_path / "x"), b"2")
    assert os.listdir(tmp_path) == ["x"]


def test_living_drafts_in_front_do_not_hide_dead_ones(tmp_path: Path, gone: int) -> None:
    for number in range(200):
        leave(tmp_path, f".x.{os.getpid()}-{number:08x}.tmp")
    leave(tmp_path, f".x.{gone}-00000000.tmp")
    write_whole(str(tmp_path / "x"), b"1")
    assert not (tmp_path / f".x.{gone}-00000000.tmp").exists()


def test_an_old_file_that_was_given_a_drafts_name_a_moment_ago_is_no_old_draft(
    tmp_path: Path, gone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: TWO_HOURS_ON - 2 * 3600 + 60)
    old = leave(tmp_path, "41-0123abcd.off.json")
    os.utime(old, (TWO_HOURS_ON - 9 * 3600, TWO_HOURS_ON - 9 * 3600))
    aside = old.rename(tmp_path / f".41-0123abcd.off.json.{gone}-0011aabb.tmp")
    write_whole(str(tmp_path / "x"), b"1")
    assert aside.exists()
