"""What every ``HarnessPresence`` keeps."""

from tidings.ports.presence import HarnessPresence, HarnessSighting
from tidings.ports.tokens import Provider

SIGHTING = HarnessSighting(
    pid=4711,
    provider=Provider.CLAUDE,
    session_id="b098b28d-3138-4edf-9b7a-9a83396a52e7",
    name="proj-55",
    cwd="/home/ä/proj",
    socket_path="/run/cc-socks/4711.sock",
    version="2.1.332",
    start_ticks="115037",
)


class HarnessPresenceContract:
    """Bind it by overriding ``make_presence``, ``publish`` and ``withdraw``."""

    def make_presence(self) -> HarnessPresence:
        """The adapter under test; every call of one test looks at the same registry."""
        raise NotImplementedError

    def publish(self, sighting: HarnessSighting) -> None:
        """The client shows ``sighting`` under its own pid."""
        raise NotImplementedError

    def withdraw(self, pid: int) -> None:
        """The client shows nothing for ``pid`` any more."""
        raise NotImplementedError

    def test_an_unknown_process_is_not_sighted(self) -> None:
        assert self.make_presence().at(SIGHTING.pid) is None

    def test_what_is_published_is_sighted_whole(self) -> None:
        self.publish(SIGHTING)
        assert self.make_presence().at(SIGHTING.pid) == SIGHTING
        assert self.make_presence().at(SIGHTING.pid + 1) is None

    def test_what_is_withdrawn_is_gone(self) -> None:
        self.publish(SIGHTING)
        self.withdraw(SIGHTING.pid)
        assert self.make_presence().at(SIGHTING.pid) is None
