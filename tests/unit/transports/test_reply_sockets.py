"""Reply sockets on a real file system: private, bounded, and nobody's but ours."""

import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from support.native_answer import (
    birth_of,
    control_frame,
    native_frame,
    reply_folder,
    write_native,
)
from support.waiting import until
from tidings.adapters.transports.reply_line import LINE_MAX_BYTES
from tidings.adapters.transports.reply_sockets import ReplySocketFolder
from tidings.ports.processes import ProcessBirth
from tidings.ports.replies import NativeAnswer


@pytest.fixture
def root() -> Iterator[Path]:
    folder = tempfile.mkdtemp(dir="/tmp", prefix="td-")
    yield Path(folder)
    shutil.rmtree(folder)


@pytest.fixture
def sockets(root: Path) -> Iterator[ReplySocketFolder]:
    made = _make(root / "own")
    yield made
    made.close_all()


def _make(folder: Path) -> ReplySocketFolder:
    return reply_folder(str(folder))


def _path(address: str) -> str:
    return address.removeprefix("uds:")


def _dial(address: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(_path(address))
    return connection


def _heard(sockets: ReplySocketFolder) -> Sequence[NativeAnswer]:
    return until(sockets.accept_ready, what="an answer")


def test_folder_and_socket_are_private_and_the_path_is_short(sockets: ReplySocketFolder) -> None:
    path = _path(sockets.address("m" * 29))
    assert stat.S_IMODE(os.lstat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.lstat(os.path.dirname(path)).st_mode) == 0o700
    assert len(os.fsencode(path)) < 100
    assert "mmm" not in path


@pytest.mark.parametrize("mode", [0o755, 0o701, 0o770])
def test_a_folder_that_others_may_enter_is_not_used(root: Path, mode: int) -> None:
    folder = root / "open"
    folder.mkdir()
    folder.chmod(mode)
    assert _make(folder).address("m1") == ""
    assert stat.S_IMODE(folder.stat().st_mode) == mode


def test_a_planted_link_or_file_is_not_adopted(root: Path) -> None:
    (root / "real").mkdir(mode=0o700)
    (root / "link").symlink_to(root / "real")
    (root / "file").write_text("")
    for name in ("link", "file"):
        assert _make(root / name).address("m1") == ""
    assert list((root / "real").iterdir()) == []


def test_a_path_no_system_can_bind_gives_no_address(root: Path) -> None:
    assert _make(root / ("x" * 90)).address("m1") == ""


def test_a_node_left_by_a_dead_resident_is_replaced_so_the_address_stays_good(root: Path) -> None:
    dead = _make(root)
    address = dead.address("m1")
    node = Path(_path(address))
    dead.close_all()
    with socket.socket(socket.AF_UNIX) as abandoned:
        abandoned.bind(str(node))
    heir = _make(root)
    assert heir.address("m1") == address
    assert write_native(address, "still here")
    assert [answer.text for answer in _heard(heir)] == ["still here"]
    heir.close_all()
    assert not node.exists()


def test_a_node_with_a_listener_behind_it_is_left_alone(root: Path) -> None:
    first = _make(root)
    address = first.address("m1")
    assert _make(root).address("m1") == ""
    first.accept_ready()
    assert write_native(address, "mine")
    assert [answer.text for answer in _heard(first)] == ["mine"]
    first.close_all()


def test_closing_removes_only_the_node_that_was_opened(sockets: ReplySocketFolder) -> None:
    path = _path(sockets.address("m1"))
    os.unlink(path)
    Path(path).write_text("somebody else's")
    sockets.close("m1")
    assert Path(path).read_text() == "somebody else's"
    os.unlink(path)


def test_control_frames_and_noise_beside_an_answer_are_passed_over(
    sockets: ReplySocketFolder,
) -> None:
    with _dial(sockets.address("m1")) as visitor:
        auth = b'{"type":"auth","token":"x"}\n'
        visitor.sendall(auth + b"\n{\n" + native_frame("done") + control_frame())
        assert [answer.text for answer in _heard(sockets)] == ["done"]
        assert list(sockets.accept_ready()) == []


def test_an_answer_in_pieces_is_whole_or_nothing_and_needs_no_last_line_break(
    sockets: ReplySocketFolder,
) -> None:
    frame = native_frame("in pieces").rstrip(b"\n")
    with _dial(sockets.address("m1")) as visitor:
        visitor.sendall(frame[:40])
        assert list(sockets.accept_ready()) == []
        visitor.sendall(frame[40:])
        assert list(sockets.accept_ready()) == []
    assert [answer.text for answer in _heard(sockets)] == ["in pieces"]


def test_visitors_who_say_nothing_delay_nobody(sockets: ReplySocketFolder) -> None:
    address = sockets.address("m1")
    silent = [_dial(address) for _ in range(7)]
    sockets.accept_ready()
    began = time.monotonic()
    assert write_native(address, "quick")
    assert [answer.text for answer in _heard(sockets)] == ["quick"]
    assert time.monotonic() - began < 1.0
    for visitor in silent:
        visitor.close()


def test_a_visitor_gets_two_seconds_and_then_is_gone(sockets: ReplySocketFolder) -> None:
    with _dial(sockets.address("m1")) as visitor:
        visitor.sendall(b'{"type":')
        visitor.settimeout(5.0)
        began = time.monotonic()
        until(lambda: sockets.accept_ready() or _is_hung_up(visitor), what="the visit's end")
        assert 1.5 < time.monotonic() - began < 4.0


def test_more_than_one_mebibyte_is_dropped_whole(sockets: ReplySocketFolder) -> None:
    with _dial(sockets.address("m1")) as visitor:
        visitor.setblocking(False)
        data = native_frame("x" * 2 * LINE_MAX_BYTES)
        heard: list[NativeAnswer] = []
        ends_at = time.monotonic() + 5.0
        while data and time.monotonic() < ends_at:
            try:
                data = data[visitor.send(data) :]
            except BlockingIOError:
                heard += sockets.accept_ready()
            except OSError:
                break
        heard += sockets.accept_ready()
        assert heard == []
        assert data
        assert [one.reason for one in sockets.take_broken()] == ["answer-too-large"]


def test_the_descriptors_to_wait_on_turn_readable(sockets: ReplySocketFolder) -> None:
    import select

    address = sockets.address("m1")
    assert select.select(sockets.filenos(), [], [], 0)[0] == []
    assert write_native(address, "x")
    assert select.select(sockets.filenos(), [], [], 5)[0] != []
    assert len(_heard(sockets)) == 1
    sockets.close_all()
    assert list(sockets.filenos()) == []


def _is_hung_up(visitor: socket.socket) -> bool:
    visitor.setblocking(False)
    try:
        return visitor.recv(1) == b""
    except BlockingIOError:
        return False


LAST_WORDS = """
import sys
from support.native_answer import write_native
sys.stdin.readline()
assert all([write_native(address, "last words") for address in sys.argv[1:]])
"""


def _last_words(*addresses: str) -> tuple[subprocess.Popen[bytes], ProcessBirth]:
    """A process that writes its answers once it is told to, and ends; and its birth."""
    writer = subprocess.Popen(
        [sys.executable, "-c", LAST_WORDS, *addresses],
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.PIPE,
    )
    birth = birth_of(writer.pid)
    assert birth is not None
    return writer, birth


def test_a_writer_that_has_ended_but_still_has_its_pid_is_named(
    sockets: ReplySocketFolder,
) -> None:
    writer, birth = _last_words(sockets.address("m1"))
    with writer:
        assert writer.stdin is not None
        writer.stdin.write(b"write\n")
        writer.stdin.flush()
        until(lambda: birth_of(writer.pid, state="Z") == birth, what="a zombie")
        (answer,) = sockets.accept_ready()
    assert (answer.peer_pid, answer.peer_start) == (birth.pid, birth.start)


def test_a_known_writer_that_is_gone_is_named_and_no_other(root: Path) -> None:
    known, stranger = _make(root / "known"), _make(root / "stranger")
    writer, birth = _last_words(known.address("m1"), stranger.address("m1"))
    known.close_all()
    known = reply_folder(str(root / "known"), owner=birth)
    known.address("m1")
    if not _tells_of_the_gone():
        pytest.skip("this kernel names no process that is gone")
    writer.communicate(b"write\n", timeout=20)
    assert writer.returncode == 0
    assert [one.peer_start for one in known.accept_ready()] == [birth.start]
    assert [one.peer_start for one in stranger.accept_ready()] == [""]
    known.close_all()
    stranger.close_all()


def _tells_of_the_gone() -> bool:
    return tuple(map(int, os.uname().release.split(".")[:2])) >= (6, 16)


def test_many_answers_that_wait_at_many_sockets_are_all_heard_by_closing(
    sockets: ReplySocketFolder,
) -> None:
    addresses = [sockets.address(f"m{number}") for number in range(20)]
    for address in addresses:
        for copy in range(4):
            assert write_native(address, f"{copy}")
    sockets.close_all()
    heard = [(answer.ref, answer.text) for answer in sockets.accept_ready()]
    assert sorted(heard) == sorted((f"m{n}", f"{c}") for n in range(20) for c in range(4))
    assert not any(Path(_path(address)).exists() for address in addresses)


def test_closing_hears_out_who_is_in_mid_sentence_within_its_time(
    sockets: ReplySocketFolder,
) -> None:
    frame = native_frame("to the end")
    with _dial(sockets.address("m1")) as slow, _dial(sockets.address("m2")) as stuck:
        slow.sendall(frame[:40])
        stuck.sendall(frame[:40])
        ending = threading.Thread(target=slow.sendall, args=(frame[40:],))
        ending.start()
        began = time.monotonic()
        sockets.close_all(wait_seconds=0.3)
        took = time.monotonic() - began
        ending.join()
    assert [answer.text for answer in sockets.accept_ready()] == ["to the end"]
    broken = [(one.ref, one.peer_pid, one.reason) for one in sockets.take_broken()]
    assert broken == [("m2", os.getpid(), "answer-incomplete")]
    assert 0.25 < took < 2
    assert list(sockets.take_broken()) == []


def test_beyond_the_most_visits_what_was_said_at_once_still_counts(
    sockets: ReplySocketFolder,
) -> None:
    addresses = [sockets.address(f"m{number}") for number in range(10)]
    silent = [_dial(address) for address in addresses for _ in range(7)]
    sockets.accept_ready()
    with _dial(addresses[0]) as hasty:
        hasty.sendall(native_frame("in time") + b'{"type":')
        assert [answer.text for answer in sockets.accept_ready()] == ["in time"]
        assert [one.reason for one in sockets.take_broken()] == ["answer-incomplete"]
    for visitor in silent:
        visitor.close()


def test_control_frames_and_silence_are_no_broken_answer(sockets: ReplySocketFolder) -> None:
    address = sockets.address("m1")
    _dial(address).close()
    with _dial(address) as visitor:
        visitor.sendall(control_frame())
    sockets.close_all()
    assert list(sockets.accept_ready()) == []
    assert list(sockets.take_broken()) == []
