"""Looking around a target right before a decision: time, consent, dialogs, owner (D16, D18)."""

from typing import Protocol

from tidings.domain.consent.arming import ArmState
from tidings.domain.interaction.freedom import Free, Freedom
from tidings.domain.messages.outlook import Outlook
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Clock, Instant
from tidings.ports.processes import Place, ProcessBirth
from tidings.ports.tokens import Verdict


class ConsentReader(Protocol):
    """What this room needs of the consent desk."""

    def state(self, key: str) -> ArmState:
        """The consent of the session ``key`` now; a pure read."""
        ...


class FreedomReader(Protocol):
    """What this room needs of the observer."""

    def freedom(self, session_key: str, owner_pid: int) -> Freedom:
        """Whether the session is free to hear; may ask the client itself for up to 5 s."""
        ...

    def glimpse(self, session_key: str, owner_pid: int) -> Freedom:
        """The same from files alone: for the last look under the delivery lock."""
        ...


class BirthProbe(Protocol):
    """What this room needs of the owner probe."""

    def alive_birth(self, birth: ProcessBirth, place: Place | None = None) -> Verdict:
        """Whether exactly this process lives."""
        ...


class Lookout:
    """Gathers an ``Outlook``. It remembers since when a session has been idle, and nothing else."""

    def __init__(
        self,
        *,
        consent: ConsentReader,
        observer: FreedomReader,
        probe: BirthProbe,
        clock: Clock,
    ) -> None:
        self._consent = consent
        self._observer = observer
        self._probe = probe
        self._clock = clock
        self._idle_since: dict[str, int] = {}

    def settle_dialogs(self, target: ActivationRow) -> None:
        """Lets the observer ask the client whether dialogs ended (D24); hold no lock here."""
        self._observer.freedom(target.session_key, target.owner.pid)

    def look(self, target: ActivationRow) -> Outlook:
        """The facts of this moment. The dialogs are read last: they change fastest."""
        owner = self._probe.alive_birth(target.owner, target.place)
        consent = self._consent.state(target.session_key)
        freedom = self._observer.glimpse(target.session_key, target.owner.pid)
        now = self._clock.now()
        return Outlook(
            now=now,
            consent=consent,
            freedom=freedom,
            owner=owner,
            idle_ns=self._idle_ns(target.session_key, freedom, now),
        )

    def _idle_ns(self, session_key: str, freedom: Freedom, now: Instant) -> int:
        if not (isinstance(freedom, Free) and freedom.idle):
            self._idle_since.pop(session_key, None)
            return 0
        since = self._idle_since.setdefault(session_key, now.boottime_ns)
        return max(0, now.boottime_ns - since)
