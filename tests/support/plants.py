"""What somebody may put where a file of ours belongs, to be waited for, followed or overwritten."""

import os
import stat
from enum import StrEnum
from pathlib import Path


class Plant(StrEnum):
    """The kinds; ``loose`` is a file that others may write."""

    FIFO = "fifo"
    FOLDER = "folder"
    LINK = "link"
    DANGLING = "dangling"
    LOOSE = "loose"


def plant(kind: Plant, path: Path) -> None:
    """Puts it at ``path``, in the place of whatever is there; what a link leads to lies beside."""
    _clear(path)
    aim = path.with_name(path.name + ".aim")
    match kind:
        case Plant.FIFO:
            os.mkfifo(path, 0o600)
        case Plant.FOLDER:
            path.mkdir()
        case Plant.LINK:
            aim.write_bytes(b"mine")
            path.symlink_to(aim)
        case Plant.DANGLING:
            path.symlink_to(aim)
        case Plant.LOOSE:
            path.touch()
            path.chmod(0o666)


def seen(path: Path) -> tuple[object, ...]:
    """What is at ``path`` and where a link leads to: equal before and after means untouched."""
    node = os.lstat(path)
    aim = path.with_name(path.name + ".aim")
    written = aim.read_bytes() if aim.exists() else b""
    size = node.st_size if stat.S_ISREG(node.st_mode) else 0
    return (node.st_ino, stat.S_IFMT(node.st_mode), size, written)


def _clear(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_name(f"{path.name}.was-{os.urandom(4).hex()}"))
    else:
        path.unlink(missing_ok=True)
