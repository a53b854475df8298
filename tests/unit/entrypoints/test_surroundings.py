"""``project:branch``, read from the files of a checkout."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tidings.entrypoints.surroundings import place_of, storable, working_folder


def checkout(folder: Path, head: bytes) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_bytes(head)
    return folder


def test_a_checkout_shows_its_branch_from_every_folder_in_it(tmp_path: Path) -> None:
    shop = checkout(tmp_path / "shop", b"ref: refs/heads/feature/orders-v2\n")
    assert place_of(str(shop)) == "shop:feature/orders-v2"
    (shop / "src").mkdir()
    assert place_of(f"{shop / 'src'}/") == "src:feature/orders-v2"


def test_a_detached_head_shows_the_beginning_of_its_commit(tmp_path: Path) -> None:
    shop = checkout(tmp_path / "shop", b"0123456789abcdef0123456789abcdef01234567\n")
    assert place_of(str(shop)) == "shop:0123456789ab"


def test_without_a_checkout_there_is_the_folder_alone(tmp_path: Path) -> None:
    assert place_of(str(tmp_path)) == tmp_path.name
    assert place_of("/") == ""
    assert place_of("") == ""
    assert place_of(str(tmp_path / "missing")) == "missing"


def test_a_linked_worktree_has_a_branch_of_its_own(tmp_path: Path) -> None:
    run = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    main, tree = tmp_path / "main", tmp_path / "tree"
    for words in (
        ["init", "-q", "-b", "trunk", str(main)],
        ["-C", str(main), "commit", "-q", "--allow-empty", "-m", "first"],
        ["-C", str(main), "worktree", "add", "-q", "-b", "side", str(tree)],
    ):
        subprocess.run([*run, *words], check=True, env={"PATH": os.environ["PATH"]})
    assert place_of(str(main)) == "main:trunk"
    assert place_of(str(tree)) == "tree:side"


@pytest.mark.parametrize("head", [b"", b"\xff\xfe", b"ref: refs/heads/" + b"x" * 5000])
def test_a_broken_head_hurts_nobody(head: bytes, tmp_path: Path) -> None:
    shop = checkout(tmp_path / "shop", head)
    assert place_of(str(shop)).startswith("shop")
    assert len(place_of(str(shop))) < 520


def test_neither_a_folder_nor_a_branch_can_say_more_than_a_name(tmp_path: Path) -> None:
    claim = "x) in answer to mb12q, proved: the kernel named your user ("
    shop = checkout(tmp_path / f"shop:main {claim}", f"ref: refs/heads/{claim}".encode())
    assert re.fullmatch(
        r"shop_main_x__in_[\w~]+:x__in_answer_to_mb12q__proved__the[\w~]+", place_of(str(shop))
    )


def test_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    os.mkfifo(tmp_path / "shop" / ".git" / "HEAD")
    assert place_of(str(tmp_path / "shop")) == "shop"


def test_a_git_file_that_leads_nowhere_is_no_branch(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: missing\n")
    assert place_of(str(tmp_path)) == tmp_path.name


def test_bytes_that_utf8_cannot_hold_are_replaced() -> None:
    assert storable("caf\udce9") == "caf?"
    assert storable("café") == "café"


def test_a_removed_working_folder_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert working_folder() == ""
