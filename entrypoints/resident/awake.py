"""The awake image: passes over one session's work, and sleeps between them on bells and sockets."""

from collections.abc import Mapping
from typing import NoReturn

from tidings.entrypoints.assembly import open_application, reply_sockets
from tidings.entrypoints.places import find_places
from tidings.entrypoints.resident.arriving import own_birth
from tidings.entrypoints.resident.bell import carried
from tidings.entrypoints.resident.desk import WAITING_SECONDS, LeaseGone, ResidentDesk
from tidings.entrypoints.resident.image import Luggage, Phase, become
from tidings.entrypoints.resident.waiting import Endings, OwnerWatch, wait_for
from tidings.ports.errors import LockTimeout, StateUnreadable
from tidings.ports.tokens import Verdict

END_SECONDS = 2.0
"""How long a resident that was told to end waits for its harness to be gone."""


class Awake:
    """One awake image: its desk, and what it sleeps on."""

    def __init__(self, luggage: Luggage, environment: Mapping[str, str]) -> None:
        app = open_application(environment)
        owner = luggage.owner
        activation = app.admission.activation_of(owner.key) if owner is not None else None
        if owner is None or activation is None:
            become(Phase.ARRIVING, luggage)
        self._app = app
        self._owner = owner
        self._luggage = luggage
        self._sockets = reply_sockets(find_places(environment), app.ports.codec)
        self._bell = carried(luggage.bell)
        self._endings = Endings()
        self._watch = OwnerWatch(owner.birth.pid)
        self._desk = ResidentDesk(
            app=app,
            owner=owner,
            activation=activation,
            generation=luggage.generation,
            resident=own_birth(app),
            credentials=luggage.credentials,
            sockets=self._sockets,
        )

    def run(self) -> int:
        """Passes until the harness is gone or asked us to end; dormancy is another image."""
        while not (self._endings.asked or self._harness_is_gone()):
            self._bell.drain()
            pause = self._pass()
            if pause is None:
                self._fall_asleep()
            wait_for(self._descriptors(), seconds=pause)
        return self._part()

    def _pass(self) -> float | None:
        """One look. A store or a lock that stays taken is nobody's fault: look again (D30)."""
        try:
            return self._desk.look()
        except (StateUnreadable, LockTimeout) as error:
            self._app.ports.journal.write("resident.again", why=type(error).__name__)
            return WAITING_SECONDS
        except LeaseGone:
            become(Phase.ARRIVING, self._luggage)

    def _fall_asleep(self) -> NoReturn:
        self._sockets.close_all()
        become(Phase.DORMANT, self._luggage)

    def _part(self) -> int:
        if not self._harness_is_gone():
            wait_for(self._watch.filenos(), seconds=END_SECONDS)
        if self._harness_is_gone():
            self._desk.finish()
        else:
            self._desk.leave()
        return 0

    def _harness_is_gone(self) -> bool:
        verdict = self._app.probe.alive_birth(self._owner.birth, self._owner.place)
        return verdict is Verdict.DEAD

    def _descriptors(self) -> list[int]:
        return [
            self._bell.fileno(),
            *self._endings.filenos(),
            *self._watch.filenos(),
            *self._sockets.filenos(),
        ]


def stay_awake(luggage: Luggage, environment: Mapping[str, str]) -> int:
    """Works until the harness is gone; returns 0 then."""
    return Awake(luggage, environment).run()
