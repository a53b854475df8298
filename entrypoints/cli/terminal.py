"""Which terminal controls this process: the one thing that a push says of the place it was typed at."""

import os
import sys
from fcntl import ioctl

UNNAMED = "/dev/tty"
_DEVICE_OF_TERMINAL = 0x80045432
"""TIOCGDEV of Linux (ioctl_tty(2)): the device number of a terminal, whatever name opened it."""

_STANDARD = (0, 1, 2)


def controlling_terminal() -> str:
    """The name of this process's controlling terminal, or empty.

    Standard input may well be another terminal, which somebody else types at. So on Linux a name
    counts only with the number that the kernel tells; ``/dev/tty`` where none has it.
    """
    try:
        descriptor = os.open(UNNAMED, os.O_RDWR | os.O_NOCTTY)
    except OSError:
        return ""
    try:
        if not sys.platform.startswith("linux"):
            names = [_name_of(standard) for standard in _STANDARD]
            return next((name for name in names if name), UNNAMED)
        return _name_with(_number_of(descriptor))
    finally:
        os.close(descriptor)


def _number_of(descriptor: int) -> int:
    """The device number of the terminal; 0, which no terminal has, where it is not told."""
    try:
        return int.from_bytes(ioctl(descriptor, _DEVICE_OF_TERMINAL, bytes(4)), sys.byteorder)
    except OSError:
        return 0


def _name_with(number: int) -> str:
    names = (f"/dev/pts/{os.minor(number)}", *map(_name_of, _STANDARD))
    return next((name for name in names if name and _is_device(name, number)), UNNAMED)


def _is_device(name: str, number: int) -> bool:
    try:
        return os.stat(name).st_rdev == number
    except OSError:
        return False


def _name_of(descriptor: int) -> str:
    try:
        return os.ttyname(descriptor)
    except OSError:
        return ""
