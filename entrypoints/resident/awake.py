"""The awake image: passes over one session's work, and sleeps between them on bells and sockets."""

from collections.abc import Mapping

from tidings.domain.identity.owner import SessionOwner
from tidings.entrypoints.assembly import (
    events_folder,
    monitor_line,
    open_application,
    reply_sockets,
)
from tidings.entrypoints.places import find_places
from tidings.entrypoints.resident.bell import carried
from tidings.entrypoints.resident.desk import (
    WAITING_SECONDS,
    LeaseGone,
    ResidentDesk,
    SocketMoved,
)
from tidings.entrypoints.resident.image import Luggage, Phase, become
from tidings.entrypoints.resident.quiet import QuietSign
from tidings.entrypoints.resident.registering import own_birth
from tidings.entrypoints.resident.waiting import ASKED_TO_END, Endings, OwnerWatch, wait_for
from tidings.ports.errors import LockTimeout, StateUnreadable, TidingsError
from tidings.ports.tokens import Ring, Verdict


class Awake:
    """One awake image: what it sleeps on, and its desk, which is set up as soon as the store reads."""

    def __init__(
        self, luggage: Luggage, owner: SessionOwner, environment: Mapping[str, str]
    ) -> None:
        self._app = open_application(environment)
        self._owner = owner
        self._luggage = luggage
        ports = self._app.ports
        places = find_places(environment)
        self._folder = events_folder(places)
        self._sockets = reply_sockets(places, ports.codec, ports.processes, owner=owner.birth)
        self._bell = carried(luggage.bell)
        self._endings = Endings(asked=luggage.ending)
        self._watch = OwnerWatch(owner.birth.pid)
        self._desk: ResidentDesk | None = None
        self._trouble = ""

    def run(self) -> int:
        """Passes until the harness is gone or asked us to end, or a helper makes room for the
        harness's own monitor; dormancy is another image."""
        while not (self._endings.asked or self._harness_is_gone()):
            if Ring.YIELD in self._bell.drain() and self._luggage.is_helper:
                break
            self._sleep(self._pass())
        return self._part()

    def _pass(self) -> float:
        """One look. A store or a lock that stays taken is nobody's fault: look again (D30)."""
        try:
            return self._look()
        except (StateUnreadable, LockTimeout) as error:
            self._note_trouble(error)
            return WAITING_SECONDS

    def _look(self) -> float:
        try:
            pause = self._at_desk().look()
        except (LeaseGone, SocketMoved) as reason:
            self._rest()
            self._app.ports.journal.write(
                "resident.anew", session=self._owner.key, why=type(reason).__name__
            )
            become(Phase.ARRIVING, self._luggage, self._endings)
        self._trouble = ""
        if pause is None:
            self._rest()
            become(Phase.DORMANT, self._luggage, self._endings)
        return pause

    def _rest(self) -> None:
        """No answer stays behind in this image; without a desk no socket was ever open."""
        if self._desk is not None:
            self._desk.rest()

    def _at_desk(self) -> ResidentDesk:
        if self._desk is None:
            self._desk = self._set_up()
        return self._desk

    def _set_up(self) -> ResidentDesk:
        activation = self._app.admission.activation_of(self._owner.key)
        if activation is None:
            raise LeaseGone
        return ResidentDesk(
            app=self._app,
            owner=self._owner,
            activation=activation,
            generation=self._luggage.generation,
            resident=own_birth(self._app),
            credentials=self._luggage.credentials,
            is_helper=self._luggage.is_helper,
            sockets=self._sockets,
            quiet=QuietSign(self._folder, self._owner.birth.pid),
            line=monitor_line(),
        )

    def _note_trouble(self, error: TidingsError) -> None:
        """Once per kind, not once per look."""
        if self._trouble != type(error).__name__:
            self._trouble = type(error).__name__
            self._app.ports.journal.write("resident.again", why=self._trouble)

    def _sleep(self, seconds: float) -> None:
        rang = wait_for(self._descriptors(), seconds=seconds)
        if rang.intersection(self._watch.filenos()) and not self._harness_is_gone():
            self._watch.close()  # not yet by the kernel's word: the floor looks again

    def _part(self) -> int:
        """At once (SM13): a client that ends may kill us half a second after it told us to end."""
        is_gone = self._harness_is_gone()
        try:
            desk = self._at_desk()
            desk.finish() if is_gone else desk.leave()
        except (TidingsError, LeaseGone) as error:
            self._app.ports.journal.write("resident.parted", why=type(error).__name__)
        return 0 if is_gone else ASKED_TO_END

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
    """Works until the harness is gone, and returns 0 then; 130 where it was told to end."""
    if luggage.owner is None:
        become(Phase.ARRIVING, luggage)
    return Awake(luggage, luggage.owner, environment).run()
