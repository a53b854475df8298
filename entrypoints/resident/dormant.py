"""The dormant image: no stream, no socket, no look at messages (D12).

It watches the consent mark, its bell and the end of its harness, and sets the quiet sign anew.
"""

import time
from collections.abc import Mapping

from tidings.domain.identity.owner import SessionOwner
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import events_folder, open_application
from tidings.entrypoints.places import find_places
from tidings.entrypoints.resident.bell import carried
from tidings.entrypoints.resident.image import Luggage, Phase, become
from tidings.entrypoints.resident.quiet import QuietSign
from tidings.entrypoints.resident.registering import socket_moved
from tidings.entrypoints.resident.waiting import Endings, OwnerWatch, wait_for
from tidings.ports.harness_status import StatusSeen
from tidings.ports.tokens import Ring, StatusWord, Verdict

LOOK_SECONDS = 30.0
"""The floor under the bell: an armed mark is noticed at least this often."""


def stay_dormant(luggage: Luggage, environment: Mapping[str, str]) -> int:
    """Waits for a reason to wake, and becomes the awake image then."""
    owner = luggage.owner
    if owner is None:
        become(Phase.ARRIVING, luggage)
    app = open_application(environment)
    bell = carried(luggage.bell)
    endings, watch = Endings(asked=luggage.ending), OwnerWatch(owner.birth.pid)
    quiet = DormantQuiet(app, owner, events_folder(find_places(environment)))
    watched = [bell.fileno(), *endings.filenos(), *watch.filenos()]
    while True:
        rang = bell.drain()
        if luggage.is_helper and Ring.YIELD in rang:
            endings.asked = True  # the awake image parts, in order
        over = app.probe.alive_birth(owner.birth, owner.place) is Verdict.DEAD
        hears = app.desk.state(owner.key).is_open
        if Ring.LETTER in rang or over or hears or endings.asked:
            become(Phase.AWAKE, luggage, endings)
        if socket_moved(app, owner, luggage.credentials):
            app.ports.journal.write("resident.anew", session=owner.key, why="SocketMoved")
            become(Phase.ARRIVING, luggage, endings)
        quiet.keep()
        if wait_for(watched, seconds=LOOK_SECONDS).intersection(watch.filenos()):
            watched = watched[:-1]  # it rang once; the kernel's word is what counts


class DormantQuiet:
    """The quiet sign of a session whose events nobody folds: set, now and then, while the client
    publishes that no dialog is open."""

    def __init__(self, app: Application, owner: SessionOwner, folder: str) -> None:
        self._status = app.ports.status
        self._pid = owner.birth.pid
        self._sign = QuietSign(folder, self._pid)
        self._next_at = 0.0

    def keep(self) -> None:
        """One look in ``LOOK_SECONDS`` at most, however often the bell rings."""
        if time.monotonic() < self._next_at:
            return
        self._next_at = time.monotonic() + LOOK_SECONDS
        look = self._status.glance(self._pid)
        if isinstance(look, StatusSeen) and look.word is not StatusWord.WAITING:
            self._sign.show()
