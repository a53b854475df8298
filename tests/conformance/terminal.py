"""A client on a terminal of its own: drained, readable, and typed into without blind waiting."""

import fcntl
import os
import re
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from support.waiting import StillWaiting, until

ROWS, COLUMNS = 40, 120
END_SECONDS = 10.0
KEY_SECONDS = 0.5
STILL_SECONDS = 1.0
CONTROL_SEQUENCE = re.compile(
    rb"\x1b(?:\[[0-9;?<>=]*[a-zA-Z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[=>()][0-9A-B]?)"
)

ENTER = "\r"
ESCAPE = "\x1b"
CLEAR_LINE = "\x15"


class Terminal:
    """A command whose controlling terminal is ours, from ``with`` to the end of the block.

    ``pid`` is the command itself, since ``setsid`` executes it in place. At the end it gets
    SIGTERM, and SIGKILL if it is still there ``END_SECONDS`` later.
    """

    def __init__(
        self, argv: Sequence[str], *, folder: Path, environment: Mapping[str, str]
    ) -> None:
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            ["setsid", "--ctty", *argv],
            cwd=folder,
            env=dict(environment),
            stdin=slave,
            stdout=slave,
            stderr=slave,
        )
        os.close(slave)
        self._output = bytearray()
        self._reader = threading.Thread(target=self._drain, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    @property
    def pid(self) -> int:
        """The process on this terminal."""
        return self._process.pid

    def exit_code(self) -> int | None:
        """How the process ended; None while it runs."""
        return self._process.poll()

    def screen(self, *, since: int = 0, until: int | None = None) -> str:
        """What was written from one position to another, without the control sequences: for
        reading, not for proof."""
        part = bytes(self._output[since:until])
        return CONTROL_SEQUENCE.sub(b" ", part).decode(errors="replace")

    def position(self) -> int:
        """Where the output ends now, for ``wait_for``."""
        return len(self._output)

    def wait_for(self, text: str, *, since: int, timeout: float = 10.0) -> None:
        """Waits until ``text`` is drawn after ``since``; blanks between words count for nothing."""
        wanted = _squeezed(text)
        until(
            lambda: wanted in _squeezed(self.screen(since=since)),
            timeout=timeout,
            what=f"{text!r} on the screen",
        )

    def still(self, *, timeout: float = 20.0) -> None:
        """Waits until nothing was drawn for ``STILL_SECONDS``."""
        seen, since = self.position(), time.monotonic()

        def is_still() -> bool:
            nonlocal seen, since
            now = time.monotonic()
            if self.position() != seen:
                seen, since = self.position(), now
            return now - since >= STILL_SECONDS

        until(is_still, timeout=timeout, what="a screen that stands still")

    def tail(self, characters: int = 2000) -> str:
        """The end of the screen's text with runs of blanks made one, for a failure report."""
        return re.sub(r"\s*\n\s*", "\n", re.sub(r"[ \t\r]+", " ", self.screen()))[-characters:]

    def type(self, text: str) -> None:
        """Types ``text`` on an empty line and waits until its end has been drawn; presses nothing."""
        os.write(self._master, (CLEAR_LINE + text).encode())
        wanted = _squeezed(text)[-12:]
        until(lambda: wanted in _squeezed(self.screen()), what=f"{text[-20:]!r} on the screen")

    def press_until(
        self, keys: str, condition: Callable[[], bool], *, timeout: float = 10.0, what: str = ""
    ) -> None:
        """Presses ``keys`` again and again until ``condition``: what is not drawn yet is deaf (H 1).

        Raises ``StillWaiting`` after ``timeout`` seconds.
        """
        for _ in range(max(1, int(timeout / KEY_SECONDS))):
            os.write(self._master, keys.encode())
            try:
                until(condition, timeout=KEY_SECONDS)
            except StillWaiting:
                continue
            return
        raise StillWaiting(f"after {timeout:g} s of pressing {keys!r} still not: {what}")

    def end(self, signal_number: int = signal.SIGTERM) -> None:
        """Ends the process by a signal and lets go of the terminal. Twice is harmless."""
        if self._master < 0:
            return
        self._process.send_signal(signal_number)
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(END_SECONDS)
        os.close(self._master)
        self._master = -1

    def _drain(self) -> None:
        """Reads until the last holder of the other end is gone (Linux reports that as EIO)."""
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:
                return
            if not data:
                return
            self._output += data


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)
