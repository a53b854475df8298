"""A controlling terminal for a command whose output goes elsewhere."""

import sys
from collections.abc import Sequence

# The leading end stays open across ``execv``: where it closes, the terminal hangs up.
_PROGRAM = """
import contextlib, fcntl, os, sys, termios
leading, following = os.openpty()
os.set_inheritable(leading, True)
with contextlib.suppress(PermissionError):
    os.setsid()
fcntl.ioctl(following, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""


def at_a_terminal(command: Sequence[str]) -> list[str]:
    """The words that run ``command`` as a person would: with a terminal, and nothing typed at it."""
    return [sys.executable, "-c", _PROGRAM, *command]
