"""What the kernel's own files say of processes and of this place. Light: the hook imports it.

Nothing heavier than ``os``, ``sys`` and ``time`` is imported at the top, no dataclass, no ``typing``.
Facts are plain values; what they mean is judged elsewhere. Sources: proc(5), sysctl(3), R 1.3, D3.
"""

from __future__ import annotations

import os
import sys
import time

MICROSECOND = 1_000
SECOND = 1_000_000_000

# Offsets into the 64-bit ``struct kinfo_proc`` of Darwin (``sys/sysctl.h``, ``sys/proc.h``).
_KINFO_BYTES = 648
_KINFO_START_SECONDS = slice(0, 8)
_KINFO_START_MICROSECONDS = slice(8, 12)
_KINFO_STATE = 36
_KINFO_NAME = slice(243, 260)
_KINFO_UID = slice(420, 424)
_KINFO_PARENT = slice(560, 564)
_KERN, _KERN_PROC, _KERN_PROC_PID = 1, 14, 1
_DARWIN_LETTERS = {1: "I", 2: "R", 3: "S", 4: "T", 5: "Z"}


class FactMalformed(ValueError):
    """A kernel file does not read as documented; that proves nothing about the process."""


def first_line(path: str) -> str:
    """The stripped first line of a small kernel or system file; empty where it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(descriptor, 4096).decode("utf-8", "replace").partition("\n")[0].strip()
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def boot_id() -> str:
    """The random id of this boot (Linux); empty elsewhere."""
    return first_line("/proc/sys/kernel/random/boot_id")


def machine_id() -> str:
    """The installation's id of 32 hex digits, else ``host:<name>`` (D3); the same for every room."""
    text = first_line("/etc/machine-id")
    if len(text) == 32 and text.isalnum():
        return text
    return f"host:{os.uname().nodename}"


def namespace(kind: str) -> str:
    """The namespace link of this process for ``pid`` or ``mnt``; empty where it cannot be read.

    Darwin has but one of each, so there the word ``darwin`` stands for it.
    """
    if sys.platform == "darwin":
        return "darwin"
    try:
        return os.readlink(f"/proc/self/ns/{kind}")
    except OSError:
        return ""


def wall_ns() -> int:
    """The wall clock in nanoseconds since 1970, UTC."""
    return time.time_ns()


def boottime_ns() -> int:
    """CLOCK_BOOTTIME in nanoseconds; where it lacks, the monotonic clock (on macOS it counts sleep)."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def parse_stat(data: bytes) -> tuple[str, str, int, int, int]:
    """One line of ``/proc/<pid>/stat`` as (name, state letter, parent pid, tasks, start in ticks).

    The name may hold spaces and parentheses, so the fields begin after the *last* ``)``.
    Raises ``FactMalformed``.
    """
    opening, closing = data.find(b"("), data.rfind(b")")
    fields = data[closing + 1 :].split()
    if not 0 < opening < closing or len(fields) < 20:
        raise FactMalformed("a stat line without its fields")
    try:
        parent, tasks, start = int(fields[1]), int(fields[17]), int(fields[19])
    except ValueError:
        raise FactMalformed("a stat line with a field that is no number") from None
    name = data[opening + 1 : closing].decode("utf-8", "replace")
    return name, fields[0].decode("ascii", "replace"), parent, tasks, start


def read_stat(pid: int | str) -> tuple[tuple[str, str, int, int, int], int]:
    """The parsed stat line of ``pid`` (or ``"self"``) and the uid that owns the file.

    Raises ``OSError`` as the kernel gave it (a missing file proves nothing about a pid hidden by
    mount options; a read may answer ESRCH) and ``FactMalformed``.
    """
    descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return parse_stat(os.read(descriptor, 4096)), os.fstat(descriptor).st_uid
    finally:
        os.close(descriptor)


def linux_start(boot: str, ticks: int) -> str:
    """The opaque start token of a process birth on Linux."""
    return f"linux:{boot}:{ticks}"


def ticks_to_ns(ticks: int) -> int:
    """Kernel ticks since boot as nanoseconds of CLOCK_BOOTTIME, rounded down to the tick (10 ms)."""
    return ticks * SECOND // os.sysconf("SC_CLK_TCK")


def parse_kinfo(data: bytes) -> tuple[str, str, int, int, int, int]:
    """A ``kinfo_proc`` as (name, state letter, parent pid, uid, start seconds, start microseconds).

    Raises ``FactMalformed`` for another size: an unknown layout is not guessed at.
    """
    if len(data) != _KINFO_BYTES:
        raise FactMalformed(f"a kinfo_proc of {len(data)} bytes")

    def number(place: slice) -> int:
        return int.from_bytes(data[place], "little")

    name = data[_KINFO_NAME].partition(b"\0")[0].decode("utf-8", "replace")
    letter = _DARWIN_LETTERS.get(data[_KINFO_STATE], "?")
    start = number(_KINFO_START_SECONDS), number(_KINFO_START_MICROSECONDS)
    return name, letter, number(_KINFO_PARENT), number(_KINFO_UID), *start


def read_kinfo(pid: int) -> bytes | None:
    """The ``kinfo_proc`` of ``pid`` on Darwin; None where the kernel lists no such process.

    Raises ``OSError`` for anything else the kernel says. (sysctl answers an unknown pid with
    success and zero bytes.)
    """
    import ctypes

    system = ctypes.CDLL(None, use_errno=True)
    name = (ctypes.c_int * 4)(_KERN, _KERN_PROC, _KERN_PROC_PID, pid)
    room = ctypes.create_string_buffer(_KINFO_BYTES)
    size = ctypes.c_size_t(_KINFO_BYTES)
    if system.sysctl(name, 4, room, ctypes.byref(size), None, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return room.raw[: size.value] if size.value else None


def birth_facts(pid: int) -> tuple[str, int, str]:
    """(name, parent pid, start token) of a process, for callers that only need its birth.

    Raises ``OSError`` or ``FactMalformed`` where the kernel gives no such facts.
    """
    if sys.platform == "darwin":
        data = read_kinfo(pid)
        if data is None:
            raise ProcessLookupError(pid)
        name, _letter, parent, _uid, seconds, micros = parse_kinfo(data)
        return name, parent, f"darwin:{seconds}:{micros}"
    (name, _state, parent, _tasks, ticks), _uid = read_stat(pid)
    boot = boot_id()
    if not boot:
        raise FactMalformed("the kernel names no boot")
    return name, parent, linux_start(boot, ticks)


def start_ns(pid: int) -> int:
    """When a process began, in nanoseconds of the clock of ``boottime_ns``, rounded down.

    ``exec`` keeps it, so that of a hook, or of the shell around it, is the moment at which a harness
    started it. Raises ``OSError`` or ``FactMalformed``.
    """
    if sys.platform == "darwin":
        data = read_kinfo(pid)
        if data is None:
            raise ProcessLookupError(pid)
        *_rest, seconds, micros = parse_kinfo(data)
        age = time.time_ns() - (seconds * SECOND + micros * MICROSECOND)
        return boottime_ns() - age
    (*_rest, ticks), _uid = read_stat(pid)
    return ticks_to_ns(ticks)
