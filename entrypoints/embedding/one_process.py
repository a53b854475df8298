"""What belongs to the process that opened it, and to no child of it."""

from os import getpid
from typing import TYPE_CHECKING

from tidings.ports.errors import UsageError

if TYPE_CHECKING:
    from tidings.entrypoints.application import Application


class OfOneProcess:
    """What one process opened. A child that it forked is another process: for that nothing here
    works, since every use would be made in its parent's name (P1)."""

    def __init__(self, app: "Application") -> None:
        self._opened = app
        self._opener = getpid()

    @property
    def _app(self) -> "Application":
        if not self._is_here():
            raise UsageError(
                f"this was opened by process {self._opener}, and this is its child {getpid()}",
                next_step="call Tidings.open() in each process, after the fork",
            )
        return self._opened

    def _is_here(self) -> bool:
        return getpid() == self._opener
