"""What a resident becomes where it cannot go on, as when Tidings was removed: nothing that anybody
hears of."""

import os
import signal
import sys
from typing import NoReturn

from tidings.entrypoints.resident.waiting import ASKED_TO_END, ENDINGS

SLEEPER = ("/bin/sh", "-c", "exec tail -f /dev/null")
"""Waits for the session's end and says nothing, as the plugin's monitor command does."""


def is_installed() -> bool:
    """Whether there is still an interpreter and a program for another image."""
    program = os.path.join(os.path.dirname(__file__), "__main__.py")
    try:
        os.stat(sys.executable)
        os.stat(program)
    except OSError:
        return False
    return True


def fall_silent(*, is_helper: bool, is_ending: bool = False) -> NoReturn:
    """Ends a helper, which nobody looks at. A monitor that ended would wake its model and show a
    failure on the screen (H 9); it sleeps until its harness ends it.

    Lock and bell close with it: whoever is installed later may serve the session.
    """
    if is_helper or is_ending:
        os._exit(ASKED_TO_END if is_ending else 0)
    os.closerange(3, 1024)
    for number in ENDINGS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
    os.execv(SLEEPER[0], SLEEPER)
