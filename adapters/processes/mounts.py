"""Whether a folder lies on a disk of this machine alone (proc_pid_mountinfo(5))."""

import os

LOCAL_TYPES = frozenset(
    {"bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "ramfs", "reiserfs",
     "tmpfs", "xfs", "zfs"}
)  # fmt: skip
"""File systems that no other machine shares. Any other, known or not, counts as shared."""


def is_local(folder: str, mountinfo: str = "/proc/self/mountinfo") -> bool:
    """Whether the file system under ``folder`` (existing or not) is local; False on any doubt."""
    try:
        with open(mountinfo, "rb") as file:
            lines = file.read().splitlines()
    except OSError:
        return False
    return type_at(os.path.realpath(folder), lines) in LOCAL_TYPES


def type_at(path: str, lines: list[bytes]) -> str:
    """The type of the mount with the longest mount point above ``path``; the later of two equals
    hides the earlier. Empty where none is."""
    best, found = -1, ""
    for line in lines:
        fields = line.split(b" ")
        if b"-" not in fields[5:] or len(fields) < 9:
            continue
        point = _unescaped(fields[4])
        if _is_under(path, point) and len(point) >= best:
            best, found = len(point), fields[fields.index(b"-", 5) + 1].decode()
    return found


def _is_under(path: str, point: str) -> bool:
    return path == point or path.startswith(point.rstrip("/") + "/")


def _unescaped(field: bytes) -> str:
    r"""The kernel writes space, tab, line feed and backslash as ``\040`` and the like."""
    for code, plain in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        field = field.replace(code, plain)
    return os.fsdecode(field)
