"""Sweeping reply sockets that dead residents left, and nothing else."""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.native_answer import reply_folder
from tidings.adapters.transports.deserted_nodes import MOST_AT_ONCE, sweep_folder
from tidings.adapters.transports.folder_lock import locked_folder
from tidings.adapters.transports.own_socket import open_socket


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(dir="/tmp", prefix="td-"))
    yield made
    shutil.rmtree(made)


def _name(number: int) -> str:
    return f"r-{number:024x}.sock"


def _left(folder: Path, name: str, *, old: bool = True) -> Path:
    """A node as a process leaves it that is killed."""
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(folder / name))
    if old:
        _age(folder / name)
    return folder / name


def _age(path: Path) -> None:
    os.utime(path, ns=(1, 1), follow_symlinks=False)


def test_old_deserted_nodes_go_and_the_address_of_a_live_one_stays(folder: Path) -> None:
    for number in range(5):
        _left(folder, _name(number))
    sockets = reply_folder(str(folder))
    live = Path(sockets.address("m1").removeprefix("uds:"))
    _age(live)
    assert sweep_folder(str(folder)) == 5
    assert list(folder.iterdir()) == [live]
    sockets.close_all()


def test_what_is_young_or_not_of_ours_by_name_or_kind_stays(folder: Path) -> None:
    _left(folder, _name(1), old=False)
    for name in ("r-abc.sock", f"x{_name(2)}", f"{_name(3)}x", f"R{_name(4)[1:]}", ".lock"):
        _left(folder, name)
    (folder / _name(5)).write_text("a file")
    (folder / _name(6)).mkdir()
    (folder / _name(7)).symlink_to(_left(folder, "target.sock"))
    for number in (5, 6, 7):
        _age(folder / _name(number))
    before = sorted(folder.iterdir())
    assert sweep_folder(str(folder)) == 0
    assert sorted(folder.iterdir()) == before


def test_a_folder_that_is_a_link_or_open_to_others_is_left_alone(folder: Path) -> None:
    real = folder / "real"
    real.mkdir(mode=0o700)
    node = _left(real, _name(1))
    (folder / "link").symlink_to(real)
    assert sweep_folder(str(folder / "link")) == 0
    real.chmod(0o755)
    assert sweep_folder(str(real)) == 0
    assert sweep_folder(str(folder / "none")) == 0
    assert node.exists()
    assert not (folder / "none").exists()


def test_one_sweep_is_bounded_and_begins_with_the_oldest(folder: Path) -> None:
    for number in range(MOST_AT_ONCE + 3):
        node = _left(folder, _name(number))
        os.utime(node, ns=(number + 1, number + 1))
    assert sweep_folder(str(folder)) == MOST_AT_ONCE
    left = {_name(number) for number in range(MOST_AT_ONCE, MOST_AT_ONCE + 3)}
    assert {path.name for path in folder.iterdir()} == left
    assert sweep_folder(str(folder)) == 3


def test_a_full_backlog_is_no_desertion(folder: Path) -> None:
    path = str(folder / _name(1))
    busy = open_socket(path)
    assert busy is not None
    visitors = [socket.socket(socket.AF_UNIX) for _ in range(20)]
    for visitor in visitors:
        visitor.setblocking(False)
        visitor.connect_ex(path)
    _age(Path(path))
    assert sweep_folder(str(folder)) == 0
    for visitor in visitors:
        visitor.close()
    busy.close()


def test_while_somebody_holds_the_folder_nothing_is_swept_or_opened(folder: Path) -> None:
    node = _left(folder, _name(1))
    with locked_folder(str(folder), wait_seconds=0) as is_held:
        assert is_held
        assert sweep_folder(str(folder)) == 0
        assert open_socket(str(folder / _name(2))) is None
    assert node.exists()
    assert sweep_folder(str(folder)) == 1


def test_a_sweep_never_takes_a_node_that_is_bound_and_about_to_listen(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``chmod`` comes between the bind and the listen: right there another resident sweeps."""
    path, swept = str(folder / _name(1)), list[int]()

    def chmod(name: str, mode: int) -> None:
        swept.append(sweep_folder(str(folder), min_age_seconds=0))
        chmod_of_the_system(name, mode)

    chmod_of_the_system = os.chmod
    monkeypatch.setattr(os, "chmod", chmod)
    opened = open_socket(path)
    assert swept == [0]
    assert opened is not None
    with socket.socket(socket.AF_UNIX) as visitor:
        visitor.connect(path)
    opened.close()
