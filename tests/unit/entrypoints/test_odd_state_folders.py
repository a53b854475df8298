"""A state folder in which nothing can be kept is told, with a next step (exit 7)."""

import sys
from pathlib import Path

import pytest

from tidings.adapters.wire.private_folders import make_private
from tidings.entrypoints.cli.main import main

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param("/proc/self", marks=ON_LINUX),
        pytest.param("/proc/self/fd", marks=ON_LINUX),
        "/dev/null",
        "/dev/null/below",
        "{}/loop",
        "{}/nowhere",
        "{}/" + "x" * 300,
        "{}/" + "x/" * 3000,
    ],
)
@pytest.mark.parametrize("call", [("session", "register"), ("session", "prune")])
def test_it_is_unreadable_state_and_never_an_internal_error(
    odd: str,
    call: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "nowhere").symlink_to("missing")
    monkeypatch.setenv("TIDINGS_HOME", odd.format(tmp_path))
    assert main(call) == 7
    said = capsys.readouterr().err
    assert "TIDINGS_HOME" in said
    assert said.count("\n") == 1


@ON_LINUX
def test_a_folder_that_the_kernel_will_not_make_is_its_error() -> None:
    with pytest.raises(FileNotFoundError):
        make_private("/proc/self/sessions/below")
