"""A folder that another process makes between two looks is no link that leads nowhere."""

import os
from pathlib import Path

import pytest

from tidings.adapters.wire.private_files import NotOurs, require_no_dangling
from tidings.entrypoints.places import find_places
from tidings.ports.errors import StateUnreadable


@pytest.fixture
def late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private folder that the first look (``stat``) is too early to see."""
    folder = tmp_path / "state"
    look = os.stat

    def too_early(path: str, *, follow_symlinks: bool = True) -> os.stat_result:
        if path == str(folder):
            raise FileNotFoundError(path)
        return look(path, follow_symlinks=follow_symlinks)

    folder.mkdir(mode=0o700)
    monkeypatch.setattr("os.stat", too_early)
    return folder


def test_a_folder_that_appears_meanwhile_is_no_link(late: Path) -> None:
    require_no_dangling(str(late))
    assert find_places({"TIDINGS_HOME": str(late)}).state == str(late)


def test_a_link_that_leads_nowhere_is_still_refused(tmp_path: Path) -> None:
    link = tmp_path / "state"
    link.symlink_to(tmp_path / "gone")
    with pytest.raises(NotOurs, match="leads nowhere"):
        require_no_dangling(str(link))
    with pytest.raises(StateUnreadable, match="leads nowhere"):
        find_places({"TIDINGS_HOME": str(link)})
