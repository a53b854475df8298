"""The driver's end of the control channel: a Unix socket pair that the harness inherits."""

import json
import socket

from tidings.entrypoints.simulated.view import HarnessGone, HarnessView, read_view
from tidings.ports.codec import ReadOnlyDocument

ANSWER_SECONDS = 30.0


class ControlChannel:
    """One question, one answer, at most 30 s each. Closing it ends the harness in order."""

    def __init__(self) -> None:
        self._near, self.far = socket.socketpair()
        self._near.settimeout(ANSWER_SECONDS)
        self._stream = self._near.makefile("rb")

    def begun(self) -> HarnessView:
        """Waits for the first view, which comes after the SessionStart hooks."""
        self.far.close()
        return self._read()

    def ask(self, command: ReadOnlyDocument) -> HarnessView:
        """Raises ``HarnessRefused`` or ``HarnessGone``."""
        try:
            self._near.sendall(json.dumps(command).encode() + b"\n")
        except OSError as error:
            raise HarnessGone(str(error)) from None
        return self._read()

    def close(self) -> None:
        self.far.close()
        self._stream.close()
        self._near.close()

    def _read(self) -> HarnessView:
        try:
            return read_view(self._stream.readline())
        except ConnectionError as error:
            raise HarnessGone(str(error)) from None
