"""The registry of a harness in memory."""

from tidings.ports.presence import HarnessSighting


class MemoryHarnessPresence:
    """Sightings by pid."""

    def __init__(self) -> None:
        self._sightings: dict[int, HarnessSighting] = {}

    def at(self, pid: int) -> HarnessSighting | None:
        return self._sightings.get(pid)

    def publish(self, sighting: HarnessSighting) -> None:
        """The client shows ``sighting`` from now on, under its own pid."""
        self._sightings[sighting.pid] = sighting

    def withdraw(self, pid: int) -> None:
        """The client shows nothing for ``pid`` any more."""
        self._sightings.pop(pid, None)
