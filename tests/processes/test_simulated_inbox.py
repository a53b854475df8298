"""The simulated messaging socket keeps the client's silent rules (H 3, H 9, H 11)."""

import os
import socket
import stat
import sys
from collections import Counter
from pathlib import Path

import pytest

from support.simulated import frame, post, simulated
from tidings.adapters.transports.peers import peer_of
from tidings.entrypoints.simulated.options import PermissionMode
from tidings.entrypoints.simulated.posts import LINE_MAX_BYTES

_AUTH = b'{"type":"auth","token":"anything"}\n'
_POSTER = (
    "import socket,sys\n"
    "s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
    "s.sendall(sys.argv[2].encode()+b'\\n'); s.shutdown(socket.SHUT_WR); s.recv(1)\n"
)


def test_the_socket_is_private_and_says_nothing(tmp_path: Path) -> None:
    """H 3: mode 0600 in a 0700 folder, named by the pid; no acknowledgement."""
    with simulated(tmp_path) as harness:
        path = harness.socket_path
        assert path.name == f"{harness.pid}.sock"
        assert path.parent.name == "cc-socks"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert post(path, _AUTH, frame("hello")) == b""


def test_a_frame_wakes_an_idle_session_and_the_hook_sees_its_raw_text(tmp_path: Path) -> None:
    """H 3 idle: a turn of its own; the auth line is harmless."""
    with simulated(tmp_path) as harness:
        post(harness.socket_path, _AUTH, frame("re-run your tests"))
        harness.wait_until(lambda view: view.turns == 1, "the turn", timeout=1.0)
        assert harness.traces.times_read("re-run your tests") == 1
        prompts = [line["payload"] for line in harness.traces.events()]
        assert "re-run your tests" in [
            dict(p).get("prompt") for p in prompts if isinstance(p, dict)
        ]


def test_a_frame_for_another_conversation_is_dropped_in_silence(tmp_path: Path) -> None:
    """H 3 and H 11: the id of before /clear does not reach the model."""
    with simulated(tmp_path) as harness:
        old = harness.session_id
        harness.clear()
        post(harness.socket_path, frame("for the old one", session_id=old))
        post(harness.socket_path, frame("for the new one", session_id=harness.session_id))
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        assert harness.traces.times_read("for the old one") == 0
        assert harness.traces.times_read("for the new one") == 1


@pytest.mark.parametrize(
    "line",
    [
        b"{\n",
        b"\xff\n",
        b'{"type":"ping"}\n',
        b'{"type":"user"}\n',
        b"[1]\n",
        b'{"type":"user","message":{"content":7}}\n',
    ],
)
def test_what_is_no_frame_is_passed_over(tmp_path: Path, line: bytes) -> None:
    """H 3: unknown fields, bad JSON, unknown types."""
    with simulated(tmp_path) as harness:
        post(harness.socket_path, line, frame("good", surplus=1))
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        assert harness.last.ignored == 1


def test_while_the_model_is_called_a_frame_waits_for_its_own_turn_after_stop(
    tmp_path: Path,
) -> None:
    """H 3 busy, model call running."""
    with simulated(tmp_path) as harness:
        harness.think()
        post(harness.socket_path, frame("meanwhile"))
        harness.wait_until(lambda view: view.queued == 1, "the frame")
        assert harness.traces.times_read("meanwhile") == 0
        harness.finish()
        harness.wait_until(lambda view: view.turns == 2, "both turns")
        names = harness.traces.event_names()
        assert Counter(names)["Stop"] == 2
        assert names.index("Stop") < len(names) - 1 - names[::-1].index("UserPromptSubmit")


def test_between_tools_a_frame_arrives_inside_the_turn(tmp_path: Path) -> None:
    """H 3 busy, between tool calls: UserPromptSubmit mid-turn, one Stop."""
    with simulated(tmp_path) as harness:
        harness.busy()
        post(harness.socket_path, frame("meanwhile"))
        harness.wait_until(lambda view: view.queued == 1, "the frame")
        harness.finish()
        harness.wait_idle()
        names = harness.traces.event_names()
        assert Counter(names)["UserPromptSubmit"] == 2
        assert Counter(names)["Stop"] == 1
        assert harness.last.turns == 1
        assert harness.traces.times_read("meanwhile") == 1


@pytest.mark.parametrize("dialog", ["permission_dialog", "question", "elicitation"])
@pytest.mark.parametrize("answer", ["allow", "deny"])
def test_while_a_dialog_is_open_a_frame_waits_for_the_answer(
    tmp_path: Path, dialog: str, answer: str
) -> None:
    """H 3 permission dialog open; H 9 a frame while AskUserQuestion is open."""
    with simulated(tmp_path) as harness:
        getattr(harness, dialog)()
        post(harness.socket_path, frame("meanwhile"))
        view = harness.wait_until(lambda view: view.queued == 1, "the frame")
        assert view.status == "waiting"
        assert harness.traces.times_read("meanwhile") == 0
        getattr(harness, answer)()
        harness.wait_until(
            lambda view: view.status == "idle" and not view.queued, "the frame's turn"
        )
        assert harness.traces.times_read("meanwhile") == 1


def test_a_subagents_dialog_does_not_keep_a_frame_from_the_model(tmp_path: Path) -> None:
    """H 11: posted after the main Stop, it reaches the model with the dialog open."""
    with simulated(tmp_path) as harness:
        harness.subagent_dialog()
        post(harness.socket_path, frame("into the dialog"))
        view = harness.wait_until(lambda view: view.turns == 2, "the turn")
        assert view.status == "waiting"
        assert harness.traces.times_read("into the dialog") == 1


def test_of_a_burst_thirty_arrive_and_the_rest_is_lost_in_silence(tmp_path: Path) -> None:
    """H 3: 60 frames at once, 30 delivered in two requests."""
    with simulated(tmp_path) as harness:
        post(harness.socket_path, *(frame(f"burst {number};") for number in range(60)))
        harness.wait_until(lambda view: view.frames + view.dropped == 60, "all of them")
        harness.wait_idle()
        assert (harness.last.frames, harness.last.dropped) == (30, 30)
        assert harness.traces.times_read("burst ") == 30
        assert harness.last.requests <= 2


def test_a_large_frame_arrives_and_one_over_a_mebibyte_resets_the_connection(
    tmp_path: Path,
) -> None:
    """H 3: 200 KB delivered, 1.1 MB reset and dropped."""
    with simulated(tmp_path) as harness:
        post(harness.socket_path, frame("y" * 200_000))
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        with pytest.raises(OSError, match="(?i)reset|pipe"):
            post(harness.socket_path, frame("z" * (LINE_MAX_BYTES + 100_000)))
        harness.wait_idle()
        assert harness.last.frames == 1


def test_in_bypass_mode_a_strangers_frame_is_held_from_the_model(tmp_path: Path) -> None:
    """H 3 and H 9: held with a dialog on screen; a live descendant's frame is delivered."""
    with simulated(tmp_path, mode=PermissionMode.BYPASS) as harness:
        post(harness.socket_path, frame("from outside"))
        harness.wait_until(lambda view: view.held == ("from outside",), "the hold")
        script = tmp_path / "post.py"
        script.write_text(_POSTER)
        line = frame("from a child").decode().strip()
        harness.command(f"{sys.executable} -I {script} {harness.socket_path} '{line}'")
        harness.wait_until(lambda view: view.frames == 1, "the child's frame")
        harness.wait_idle()
        assert harness.traces.times_read("from outside") == 0
        assert harness.traces.times_read("from a child") == 1


def test_the_model_answers_natively_and_the_kernel_names_the_harness(tmp_path: Path) -> None:
    """H 10: no dialog, one frame at the ``from`` address, SO_PEERCRED is the harness itself."""
    with simulated(tmp_path) as harness, socket.socket(socket.AF_UNIX) as ours:
        path = harness.socket_path.parent / "m1.sock"
        ours.bind(str(path))
        os.chmod(path, 0o600)
        ours.listen(1)
        ours.settimeout(5.0)
        post(
            harness.socket_path,
            frame(f'<cross-session-message from="uds:{path}">\nhi\n</cross-session-message>'),
        )
        harness.wait_until(lambda view: view.turns == 1, "the turn")
        harness.answer("tests are green")
        connection, _address = ours.accept()
        with connection:
            assert peer_of(connection).pid == harness.pid
            assert b"\\ntests are green\\n</cross-session-message>" in connection.recv(65536)
        assert "PermissionRequest" not in harness.traces.event_names()


def test_an_answer_to_nobody_is_a_failed_tool(tmp_path: Path) -> None:
    with simulated(tmp_path) as harness:
        harness.answer("anybody?", to="uds:/nobody/here.sock")
        assert "PostToolUseFailure" in harness.traces.event_names()
