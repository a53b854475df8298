"""Doorbells in memory: the reasons per key, true to the port where nobody listens."""

from collections.abc import Set as AbstractSet

from tidings.ports.tokens import Ring


class MemoryDoorbell:
    """All bells of one pretended machine; ``listen`` is the resident's side."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[MemoryDoorbellListener]] = {}

    def ring(self, key: str, *, why: Ring = Ring.LETTER) -> bool:
        listeners = [one for one in self._listeners.get(key, []) if not one.closed]
        for one in listeners:
            one.rang |= {why}
        return bool(listeners)

    def listen(self, key: str) -> "MemoryDoorbellListener":
        """A listener that hears every ring from now on."""
        listener = MemoryDoorbellListener()
        self._listeners.setdefault(key, []).append(listener)
        return listener


class MemoryDoorbellListener:
    """One listener; ``rang`` is why the bell rang since the last look."""

    def __init__(self) -> None:
        self.rang: frozenset[Ring] = frozenset()
        self.closed = False

    def fileno(self) -> int:
        return -1

    def drain(self) -> AbstractSet[Ring]:
        rang, self.rang = self.rang, frozenset()
        return rang

    def close(self) -> None:
        self.closed, self.rang = True, frozenset()
