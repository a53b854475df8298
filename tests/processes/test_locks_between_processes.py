"""Locks between real processes: both adapters on the same files, and what death leaves behind."""

import contextlib
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tidings.adapters.locks.fcntl_locks import FcntlLocks
from tidings.adapters.locks.portalocker_locks import PortalockerLocks
from tidings.ports.errors import LockTimeout
from tidings.ports.locks import Locks
from tidings.ports.tokens import LockKind

KEY = "41-0123abcd"
HOLDER = """
import sys
from tidings.adapters.locks.{module} import {name}
from tidings.ports.tokens import LockKind
with {name}(sys.argv[1]).hold(LockKind.DELIVERY, "41-0123abcd", wait_seconds=5):
    print("held", flush=True)
    sys.stdin.read()
"""
ADAPTERS = {"fcntl": ("fcntl_locks", "FcntlLocks"), "portalocker": ("portalocker_locks", "PortalockerLocks")}  # fmt: skip


def locks(adapter: str, folder: Path) -> Locks:
    return FcntlLocks(str(folder)) if adapter == "fcntl" else PortalockerLocks(str(folder))


@contextlib.contextmanager
def holder(adapter: str, folder: Path) -> Generator[subprocess.Popen[str], None, None]:
    """Another process that holds the lock until the block ends."""
    module, name = ADAPTERS[adapter]
    script = HOLDER.format(module=module, name=name)
    with subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


@pytest.mark.parametrize("theirs", ADAPTERS)
@pytest.mark.parametrize("mine", ADAPTERS)
def test_both_adapters_exclude_each_other(mine: str, theirs: str, tmp_path: Path) -> None:
    here = locks(mine, tmp_path)
    with holder(theirs, tmp_path):
        assert here.is_taken(LockKind.DELIVERY, KEY)
        with pytest.raises(LockTimeout):
            here.take(LockKind.DELIVERY, KEY, wait_seconds=0.02)
    here.take(LockKind.DELIVERY, KEY, wait_seconds=5).release()


@pytest.mark.case("SX7")
def test_a_killed_holder_leaves_the_file_and_no_lock(tmp_path: Path) -> None:
    here = locks("fcntl", tmp_path)
    with holder("fcntl", tmp_path) as process:
        process.kill()
        process.wait()
        held = here.take(LockKind.DELIVERY, KEY, wait_seconds=0)
        held.release()
    assert [entry.name for entry in tmp_path.iterdir()] == [f"delivery-{KEY}.lock"]


CONTENDER = """
import sys
from tidings.adapters.locks.fcntl_locks import FcntlLocks
from tidings.ports.errors import LockTimeout
from tidings.ports.tokens import LockKind
print("waiting", flush=True)
try:
    FcntlLocks(sys.argv[1]).take(LockKind.DELIVERY, "41-0123abcd", wait_seconds=float(sys.argv[2]))
except LockTimeout:
    print("lost", flush=True)
else:
    print("won", flush=True)
    sys.stdin.read()
"""


@pytest.mark.case("SX8")
def test_of_those_that_wait_for_a_freed_lock_exactly_one_gets_it(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        with holder("fcntl", tmp_path) as dying:
            contenders = [
                stack.enter_context(
                    subprocess.Popen(
                        [sys.executable, "-c", CONTENDER, str(tmp_path), "3"],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                    )
                )
                for _ in range(3)
            ]  # fmt: skip
            for one in contenders:
                assert one.stdout is not None
                assert one.stdout.readline() == "waiting\n"
            dying.kill()
        said = [one.stdout.readline().strip() for one in contenders if one.stdout is not None]
        assert sorted(said) == ["lost", "lost", "won"]
        for one in contenders:
            assert one.stdin is not None
            one.stdin.close()


THROUGH_EXEC = """
import os, sys
from tidings.adapters.locks.fcntl_locks import FcntlLocks
from tidings.ports.tokens import LockKind
locks = FcntlLocks(sys.argv[1])
if len(sys.argv) == 2:
    held = locks.take(LockKind.RESIDENT, "41-0123abcd", wait_seconds=0)
    held.keep_through_exec()
    os.execv(sys.executable, [sys.executable, *sys.argv, str(held.fileno())])
adopted = locks.adopt(int(sys.argv[2]))
print("taken", locks.is_taken(LockKind.RESIDENT, "41-0123abcd"))
adopted.release()
print("taken", locks.is_taken(LockKind.RESIDENT, "41-0123abcd"))
"""


def test_a_resident_keeps_its_lock_through_exec(tmp_path: Path) -> None:
    script = tmp_path / "resident.py"
    script.write_text(THROUGH_EXEC)
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "locks")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["taken", "True", "taken", "False"]
