"""A network namespace with loopback only, so that no client can ever reach the outside (H 0)."""

import contextlib
import fcntl
import os
import shutil
import signal
import socket
import struct
import subprocess
from collections.abc import Generator
from pathlib import Path

from conformance.clients import Skip
from support.waiting import StillWaiting, until

READ_INTERFACE_FLAGS = 0x8913
WRITE_INTERFACE_FLAGS = 0x8914
INTERFACE_IS_UP = 0x1
DOCUMENTATION_ADDRESS = ("192.0.2.1", 80)
PROBE_SECONDS = 10.0


def entering_command() -> tuple[str, ...] | Skip:
    """What goes before a command so that it runs in a fresh namespace, or why that cannot be.

    Root enters as it is; anybody else through a user namespace that keeps the own user id, since
    a mapping to id 0 would share root's per-user folders in the temporary folder (H 0).
    """
    if shutil.which("unshare") is None:
        return Skip(reason="unshare (util-linux) is not on the PATH")
    user = () if os.geteuid() == 0 else ("--map-current-user", "--keep-caps")
    command = ("unshare", "--net", *user)
    done = subprocess.run(
        [*command, "true"], check=False, capture_output=True, text=True, timeout=PROBE_SECONDS
    )
    if done.returncode != 0:
        return Skip(reason=f"no network namespace can be made here: {done.stderr.strip()}")
    return command


def enter() -> None:
    """Raises the loopback and proves the isolation. Call it before any client starts.

    Raises ``RuntimeError`` in a namespace that has any other interface or a way out.
    """
    interfaces = [name for _, name in socket.if_nameindex()]
    if interfaces != ["lo"]:
        raise RuntimeError(f"not isolated, refusing to run: interfaces {interfaces}")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        asked = struct.pack("16sh", b"lo", 0)
        _, flags = struct.unpack("16sh", fcntl.ioctl(handle, READ_INTERFACE_FLAGS, asked))
        raised = struct.pack("16sh", b"lo", flags | INTERFACE_IS_UP)
        fcntl.ioctl(handle, WRITE_INTERFACE_FLAGS, raised)
    with socket.socket() as handle:
        handle.settimeout(1)
        if handle.connect_ex(DOCUMENTATION_ADDRESS) == 0:
            raise RuntimeError("not isolated, refusing to run: an outside address answered")


@contextlib.contextmanager
def emptied_at_the_end(pid: int) -> Generator[None]:
    """Ends, after the block, every process in the namespace that ``pid`` has entered.

    Whatever a client leaves behind, detached daemons included, is in that namespace and nothing
    else is. The open descriptor keeps the namespace's number from being used again meanwhile.
    """
    handle = _entered_namespace(pid)
    try:
        yield
    finally:
        if handle is not None:
            _end_all_in(_identity(os.stat(handle)))
            os.close(handle)


def _entered_namespace(pid: int) -> int | None:
    """A descriptor of the namespace; None if the process ended before it entered one."""
    ours = _identity(os.stat("/proc/self/ns/net"))

    def entered() -> bool:
        there = _namespace_of(pid)
        return there is None or there != ours

    with contextlib.suppress(StillWaiting):
        until(entered, timeout=PROBE_SECONDS)
    try:
        handle = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    if _identity(os.stat(handle)) != ours:
        return handle
    os.close(handle)
    return None


def _namespace_of(pid: int) -> tuple[int, int] | None:
    try:
        return _identity(os.stat(f"/proc/{pid}/ns/net"))
    except OSError:
        return None


def _identity(fact: os.stat_result) -> tuple[int, int]:
    return fact.st_dev, fact.st_ino


def _end_all_in(namespace: tuple[int, int]) -> None:
    """Kills until the namespace is empty: a process may fork while it is being looked for."""

    def emptied() -> bool:
        left = [pid for pid in _pids() if _end(pid, namespace)]
        return not left

    until(emptied, timeout=PROBE_SECONDS, what="the namespace is empty")


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def _end(pid: int, namespace: tuple[int, int]) -> bool:
    """Kills ``pid`` if it is in ``namespace``. The descriptor first, so that it is the same one."""
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if _namespace_of(pid) != namespace:
            return False
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        return True
    finally:
        os.close(handle)
