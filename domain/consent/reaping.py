"""Taking away the marks of processes that are proven gone: lock, read again, judge, unlink (D7)."""

from tidings.domain.consent.change import Keep, Reaping, Unlink, decide_reaping
from tidings.domain.consent.reading import ConsentReader
from tidings.ports.consent import ConsentMarks
from tidings.ports.errors import LockTimeout
from tidings.ports.locks import Locks
from tidings.ports.tokens import LockKind

REAP_WAIT_SECONDS = 0.1


class MarkReaper:
    """Reaps under each mark's own lock, so that no fresh OFF is ever swept away (SX1)."""

    def __init__(self, *, marks: ConsentMarks, locks: Locks, reader: ConsentReader) -> None:
        self._marks = marks
        self._locks = locks
        self._reader = reader

    def reap(self) -> tuple[str, ...]:
        """The session keys whose words are gone now. Raises ``StateUnwritable``."""
        return tuple(filter(self._reaped, self._marks.keys()))

    def _reaped(self, key: str) -> bool:
        if isinstance(self._decide(key), Keep):
            return False
        try:
            with self._locks.hold(LockKind.CONSENT, key, wait_seconds=REAP_WAIT_SECONDS):
                return self._act(key, self._decide(key))
        except LockTimeout:
            return False

    def _act(self, key: str, reaping: Reaping) -> bool:
        match reaping:
            case Keep():
                return False
            case Unlink():
                return self._marks.remove(key)

    def _decide(self, key: str) -> Reaping:
        mark = self._reader.mark(key)
        return decide_reaping(mark, self._reader.liveness(mark))
