"""The sign by which a hook's own shell knows that the end of a tool call says nothing (D10)."""

from typing import Protocol

from tidings.adapters.files.hook_writes import set_quiet_sign, take_quiet_sign


class Sign(Protocol):
    """What a desk needs of it."""

    def show(self) -> bool:
        """Sets it. True where it was not there: an opening may have come just now, so look again."""
        ...

    def hide(self) -> None:
        """Takes it away."""
        ...


class QuietSign:
    """The sign of the harness ``pid`` in the ``folder`` of the spools.

    It may stand while no dialog is open. Any opening takes it away before it is told, and only the
    resident sets it. Where it stands wrongly for a moment, a close is not told: then the published
    status ends the dialog (D24), or the end of the turn.
    """

    def __init__(self, folder: str, pid: int) -> None:
        self._folder = folder
        self._pid = pid

    def show(self) -> bool:
        return set_quiet_sign(self._folder, self._pid)

    def hide(self) -> None:
        take_quiet_sign(self._folder, self._pid)
