"""What one image of the resident hands to the next: through a pipe, never argv (D12)."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.owners import World
from support.waiting import until
from tidings.adapters.files.doorbells import listen
from tidings.adapters.locks.fcntl_locks import FcntlLocks
from tidings.entrypoints.resident.credentials import Credentials
from tidings.entrypoints.resident.image import LONGEST_BOOTSTRAP, Luggage, Phase, unpack
from tidings.entrypoints.resident.waiting import Endings, OwnerWatch, hold_endings, wait_for
from tidings.ports.errors import UsageError
from tidings.ports.tokens import LockKind

SECRET = "s3cret" * 8
CREDENTIALS = Credentials(
    harness_pid=4711,
    conversation_id="c0ffee",
    socket_path="/tmp/cc-socks/4711.sock",
    token=SECRET,
    client_version="2.1.332",
    command="",
)

# The real ``become``, with the interpreter's own words in place of the resident's: it tells what
# the next image finds.
BECOME = """
import json, os, sys
from tidings.entrypoints.resident import image
from tidings.adapters.files.doorbells import listen
from tidings.adapters.locks.fcntl_locks import FcntlLocks
from tidings.entrypoints.resident.credentials import Credentials
from tidings.ports.tokens import LockKind
folder = sys.argv[1]
lock = FcntlLocks(folder).take(LockKind.RESIDENT, "10-0123abcd", wait_seconds=0)
bell = listen(folder, "10-0123abcd")
image.MODULE = "support.next_image"
os.environ["PYTHONPATH"] = sys.argv[2]
real = os.execv
os.execv = lambda program, words: real(program, [words[0], *words[2:]])  # without -I, to find it
image.become(image.Phase.AWAKE, image.Luggage(
    credentials=Credentials(**json.loads(sys.argv[3])), generation="g",
    lock=lock.fileno(), bell=bell.descriptors(), ending=True))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="td-") as path:
        yield Path(path)


def packed(luggage: Luggage) -> str:
    from tidings.entrypoints.resident import image

    return str(image._packed(luggage))  # pyright: ignore[reportPrivateUsage]


def test_luggage_comes_out_as_it_went_in() -> None:
    world = World()
    owner = world.owner(with_socket=True)
    for luggage in (
        Luggage(credentials=CREDENTIALS),
        Luggage(
            credentials=CREDENTIALS,
            owner=owner,
            generation="ab" * 24,
            lock=7,
            bell=(8, 9),
            ending=True,
        ),
    ):
        assert unpack(["awake", packed(luggage)]) == (Phase.AWAKE, luggage)


def test_luggage_that_does_not_fit_is_refused_before_anything_is_replaced() -> None:
    huge = Luggage(credentials=CREDENTIALS, generation="x" * LONGEST_BOOTSTRAP)
    with pytest.raises(ValueError, match="does not fit"):
        packed(huge)


@pytest.mark.case("M141", "R96")
@pytest.mark.parametrize(
    "words",
    [[], ["awake"], ["awake", "x"], ["awake", "99"], ["asleep", "0"], ["awake", "0"], ["--help"]],
)
def test_the_residents_own_entry_takes_no_words_but_its_own(
    words: list[str], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "tidings.entrypoints.resident", *words],
        env={"HOME": str(tmp_path), "TIDINGS_HOME": str(tmp_path / "state")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "tidings: only a monitor or a hook starts this program\n"
    assert list(tmp_path.iterdir()) == []


# The real entry, with a dormant image that breaks in place of ours.
BREAKING = """
import sys, types
broken = types.ModuleType("tidings.entrypoints.resident.dormant")
def stay_dormant(luggage, environment):
    raise RuntimeError("a fault of ours")
broken.stay_dormant = stay_dormant
sys.modules[broken.__name__] = broken
from tidings.entrypoints.resident import image
from tidings.entrypoints.resident.__main__ import main
from tidings.entrypoints.resident.credentials import Credentials
import json
luggage = image.Luggage(credentials=Credentials(**json.loads(sys.argv[1])), is_helper=sys.argv[2] == "helper")
sys.argv = ["resident", "dormant", str(image._packed(luggage))]
raise SystemExit(main())
"""


@pytest.mark.parametrize("who", ["monitor", "helper"])
def test_a_resident_that_breaks_leaves_a_note_and_says_nothing(folder: Path, who: str) -> None:
    state = folder / "state"
    state.mkdir(mode=0o700)
    words = [sys.executable, "-c", BREAKING, json.dumps(CREDENTIALS.to_document()), who]
    process = subprocess.Popen(
        words,
        env={"HOME": str(folder), "TIDINGS_HOME": str(state), "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if who == "monitor":
        command = Path(f"/proc/{process.pid}/cmdline")
        until(lambda: command.read_bytes().startswith(b"tail"), 10, "the sleeper in its place")
        process.terminate()
    assert process.communicate(timeout=20) == (b"", b"")
    assert process.returncode == (-signal.SIGTERM if who == "monitor" else 0)
    (line,) = (state / "journal.jsonl").read_text().splitlines()
    assert json.loads(line)["why"] == "RuntimeError: a fault of ours"


def test_luggage_of_an_image_from_before_helpers_is_a_monitors() -> None:
    """An upgrade takes effect at the next change of image; what that packed still reads."""
    reader, writer = os.pipe()
    old = json.loads(os.read(int(packed(Luggage(credentials=CREDENTIALS))), LONGEST_BOOTSTRAP))
    del old["is_helper"]
    os.write(writer, json.dumps(old).encode())
    os.close(writer)
    _phase, luggage = unpack(["dormant", str(reader)])
    assert luggage == Luggage(credentials=CREDENTIALS)
    assert not luggage.is_helper


def test_a_pipe_with_something_else_in_it_is_no_luggage() -> None:
    for data in (b"", b"{}", b"[]", b"\xff", b'{"owner": 1}'):
        reader, writer = os.pipe()
        os.write(writer, data)
        os.close(writer)
        with pytest.raises(UsageError):
            unpack(["awake", str(reader)])


def test_lock_and_bell_live_on_through_exec_and_the_secret_shows_nowhere(folder: Path) -> None:
    given = json.dumps({name: getattr(CREDENTIALS, name) for name in CREDENTIALS.__slots__})
    tests = str(Path(__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, "-c", BECOME, str(folder), tests, given],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        found = json.loads(child.stdout.readline())
        assert found["pid"] == child.pid
        assert found["words"][:1] == ["awake"]
        assert found["token"] == SECRET
        assert found["ending"] is True
        assert SECRET not in " ".join(found["words"])
        assert found["blocked"] >= sorted(map(int, (signal.SIGHUP, signal.SIGINT)))
        assert FcntlLocks(str(folder)).is_taken(LockKind.RESIDENT, "10-0123abcd")
        child.communicate("end\n", timeout=10)
    assert not FcntlLocks(str(folder)).is_taken(LockKind.RESIDENT, "10-0123abcd")


def test_a_signal_between_two_images_is_heard_by_the_next() -> None:
    program = """
import os, signal
from tidings.entrypoints.resident.waiting import Endings, hold_endings, wait_for
hold_endings()
os.kill(os.getpid(), signal.SIGTERM)
endings = Endings()
assert wait_for(endings.filenos(), seconds=5)
raise SystemExit(40 if endings.asked else 41)
"""
    done = subprocess.run([sys.executable, "-c", program], timeout=30, check=False)
    assert done.returncode == 40
    assert callable(hold_endings)


def test_an_ending_that_was_asked_for_before_is_still_asked_for() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)]
    try:
        assert Endings(asked=True).asked
        assert not Endings().asked
    finally:
        for number, handler in zip(
            (signal.SIGTERM, signal.SIGHUP, signal.SIGINT), before, strict=True
        ):
            signal.signal(number, handler)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the kernel has no process descriptors")
def test_the_end_of_the_owner_rings() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as owner:
        watch = OwnerWatch(owner.pid)
        assert wait_for(watch.filenos(), seconds=0) == set()
        owner.kill()
        assert wait_for(watch.filenos(), seconds=5) == set(watch.filenos())
    watch.close()
    watch.close()
    assert watch.filenos() == []


def test_waiting_ends_when_its_time_is_over(folder: Path) -> None:
    bell = listen(str(folder), "10-0123abcd")
    began = time.monotonic()
    assert wait_for([bell.fileno()], seconds=0.05) == set()
    assert wait_for([bell.fileno()], seconds=-1) == set()
    assert time.monotonic() - began < 2
    until(lambda: wait_for([bell.fileno()], seconds=0) == set(), what="silence")
    bell.close()
