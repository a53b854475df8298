"""A harness's published status in memory, timed by a clock that a test moves."""

from collections.abc import Sequence

from tidings.ports.clock import Clock
from tidings.ports.harness_status import StatusFact, StatusSeen, StatusUnreadable
from tidings.ports.tokens import StatusWord
from tidings.ports.values import replace


class MemoryHarnessStatus:
    """What each pid publishes. A glance and a confirmation can be made unreadable by themselves.

    ``asked`` lists the calls, oldest first: glances are cheap, confirmations are not.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: dict[int, StatusSeen] = {}
        self._hidden: dict[str, str] = {}
        self._asked: list[str] = []

    @property
    def asked(self) -> Sequence[str]:
        return tuple(self._asked)

    def publish(
        self, pid: int, word: StatusWord, *, waiting_for: str = "", session_id: str = ""
    ) -> None:
        """From now on the harness ``pid`` says this."""
        self._seen[pid] = StatusSeen(
            word=word, waiting_for=waiting_for, session_id=session_id, begun=0
        )

    def withdraw(self, pid: int) -> None:
        """The harness says nothing any more."""
        self._seen.pop(pid, None)

    def hide(self, *views: str, why: str = "hidden") -> None:
        """Makes ``glance``, ``confirm`` or both unreadable for every pid."""
        self._hidden |= dict.fromkeys(views, why)

    def show(self) -> None:
        """Takes ``hide`` back."""
        self._hidden.clear()

    def glance(self, pid: int) -> StatusFact:
        return self._read("glance", pid)

    def confirm(self, pid: int) -> StatusFact:
        return self._read("confirm", pid)

    def _read(self, view: str, pid: int) -> StatusFact:
        self._asked.append(view)
        if view in self._hidden:
            return StatusUnreadable(why=self._hidden[view])
        seen = self._seen.get(pid)
        if seen is None:
            return StatusUnreadable(why="nothing is published")
        return replace(seen, begun=self._clock.now().boottime_ns)
