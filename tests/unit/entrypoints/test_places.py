"""Where state and sockets live (design page 1)."""

import os
from pathlib import Path

import pytest

from tidings.entrypoints.hook import events_folder
from tidings.entrypoints.places import find_places
from tidings.ports.errors import StateUnreadable, StateUnwritable, UsageError

FALLBACK = f"/tmp/tidings-{os.getuid()}"


def state(home: str | None = None, **environment: str) -> str:
    return find_places(environment, home=home).state


def runtime(folder: Path | str) -> str:
    return find_places({"HOME": "/home/dev", "XDG_RUNTIME_DIR": str(folder)}).runtime


def test_the_nearest_choice_wins() -> None:
    environment = {"HOME": "/h", "XDG_STATE_HOME": "/x", "TIDINGS_HOME": "/t"}
    assert state("/mine", **environment) == "/mine"
    assert state(**environment) == "/t"
    assert state(HOME="/h", XDG_STATE_HOME="/x") == "/x/tidings"
    assert state(HOME="/h") == "/h/.local/state/tidings"


def test_a_relative_choice_is_a_usage_error_that_says_what_to_do() -> None:
    for relative in ("here", "./here", "~/here", " /here"):
        with pytest.raises(UsageError, match="relative") as caught:
            state(TIDINGS_HOME=relative, HOME="/h")
        assert "begins with /" in caught.value.next_step
        assert events_folder({"TIDINGS_HOME": relative, "HOME": "/h"}) is None


@pytest.mark.parametrize("plant", ["file", "fifo", "dangling", "loop", "below a file", "too long"])
def test_what_is_no_state_folder_is_never_an_empty_one(plant: str, tmp_path: Path) -> None:
    aim = tmp_path / "state"
    match plant:
        case "file":
            aim.write_text("mine")
        case "fifo":
            os.mkfifo(aim)
        case "dangling":
            aim.symlink_to(tmp_path / "nowhere")
        case "loop":
            aim.symlink_to(aim)
        case "below a file":
            (tmp_path / "file").touch()
            aim = tmp_path / "file" / "state"
        case _:
            aim = tmp_path / ("x" * 300)
    with pytest.raises(StateUnreadable, match="the state folder") as caught:
        find_places({"TIDINGS_HOME": str(aim)})
    assert "private folder" in caught.value.next_step


@pytest.mark.parametrize("mode", [0o770, 0o722, 0o702, 0o1777])
def test_a_state_folder_that_others_may_change_is_refused(mode: int, tmp_path: Path) -> None:
    tmp_path.chmod(mode)
    try:
        with pytest.raises(StateUnreadable, match="changed by others") as caught:
            find_places({"TIDINGS_HOME": str(tmp_path)})
        assert "chmod go-w" in caught.value.next_step
        tmp_path.chmod(0o755)
        assert find_places({"TIDINGS_HOME": str(tmp_path)}).state == str(tmp_path)
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_state_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    with pytest.raises(StateUnreadable, match="another user"):
        find_places({"TIDINGS_HOME": str(folder)})


def test_a_link_to_a_private_folder_is_a_state_folder(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "state").symlink_to(tmp_path / "disk")
    assert state(TIDINGS_HOME=f"{tmp_path}/state") == f"{tmp_path}/state"


def test_a_relative_xdg_is_ignored() -> None:
    assert state(HOME="/h", XDG_STATE_HOME="x") == "/h/.local/state/tidings"
    assert state(HOME="/h", XDG_STATE_HOME="", TIDINGS_HOME="") == "/h/.local/state/tidings"


@pytest.mark.parametrize("environment", [{}, {"HOME": ""}, {"HOME": "relative"}])
def test_without_a_home_there_is_no_place_for_state(environment: dict[str, str]) -> None:
    with pytest.raises(StateUnwritable) as caught:
        find_places(environment)
    assert "TIDINGS_HOME" in caught.value.next_step


@pytest.mark.parametrize(
    "environment",
    [
        {"HOME": "/h", "XDG_STATE_HOME": "/x", "TIDINGS_HOME": "/t"},
        {"HOME": "/h", "XDG_STATE_HOME": "/x"},
        {"HOME": "/h"},
    ],
)
def test_hooks_leave_their_events_where_the_verbs_look(environment: dict[str, str]) -> None:
    assert events_folder(environment) == os.path.join(find_places(environment).state, "events")


def test_nothing_is_created_by_looking(tmp_path: Path) -> None:
    find_places({"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []


def test_a_private_short_runtime_folder_is_used() -> None:
    folder = Path(f"/tmp/td-runtime-{os.getpid()}")
    folder.mkdir(mode=0o700)
    try:
        assert runtime(folder) == f"{folder}/tidings"
        for mode in (0o755, 0o701, 0o770):
            folder.chmod(mode)
            assert runtime(folder) == FALLBACK
    finally:
        folder.rmdir()


def test_a_hostile_runtime_folder_is_passed_over(tmp_path: Path) -> None:
    private, link = tmp_path / "private", tmp_path / "link"
    private.mkdir(mode=0o700)
    link.symlink_to(private)
    (tmp_path / "file").touch(mode=0o600)
    deep = tmp_path / ("d" * 80)
    deep.mkdir(mode=0o700)
    for hostile in (link, tmp_path / "file", tmp_path / "missing", deep, "relative", ""):
        assert runtime(hostile) == FALLBACK


@pytest.mark.parametrize(
    "name", ['a" b="c', "a<b>", "a&b", "a b", "a\nb", "a\x7fb", "a\u202eb", "\udcff"]
)
def test_a_runtime_folder_whose_name_could_speak_in_a_frame_is_passed_over(name: str) -> None:
    above = Path(f"/tmp/td-speaks-{os.getpid()}")
    folder = above / name
    folder.mkdir(mode=0o700, parents=True)
    try:
        assert runtime(folder) == FALLBACK
    finally:
        folder.rmdir()
        above.rmdir()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_runtime_folder_of_somebody_else_is_passed_over() -> None:
    folder = Path(f"/tmp/td-foreign-{os.getpid()}")
    folder.mkdir(mode=0o700)
    try:
        os.chown(folder, 12345, 12345)
        assert runtime(folder) == FALLBACK
    finally:
        folder.rmdir()
