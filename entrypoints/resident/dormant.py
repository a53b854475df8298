"""The dormant image: no stream, no socket, no look at messages (D12).

It watches the consent mark, its bell and the end of its harness, and nothing else.
"""

from collections.abc import Mapping

from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.resident.bell import carried
from tidings.entrypoints.resident.image import Luggage, Phase, become
from tidings.entrypoints.resident.registering import socket_moved
from tidings.entrypoints.resident.waiting import Endings, OwnerWatch, wait_for
from tidings.ports.tokens import Ring, Verdict

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
    watched = [bell.fileno(), *endings.filenos(), *watch.filenos()]
    while True:
        called = Ring.LETTER in bell.drain()
        over = app.probe.alive_birth(owner.birth, owner.place) is Verdict.DEAD
        hears = app.desk.state(owner.key).is_open
        if called or over or hears or endings.asked:
            become(Phase.AWAKE, luggage, endings)
        if socket_moved(app, owner, luggage.credentials):
            app.ports.journal.write("resident.anew", session=owner.key, why="SocketMoved")
            become(Phase.ARRIVING, luggage, endings)
        if wait_for(watched, seconds=LOOK_SECONDS).intersection(watch.filenos()):
            watched = watched[:-1]  # it rang once; the kernel's word is what counts
