"""The first image: proves its harness, takes the resident lock, registers, claims the lease."""

from collections.abc import Mapping

from tidings.domain.identity.owner import SessionOwner
from tidings.domain.registration.claim import ClaimRefused
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import events_folder, open_application, sweep_reply_sockets
from tidings.entrypoints.places import find_places
from tidings.entrypoints.resident.bell import hung_up
from tidings.entrypoints.resident.departed import end_departed
from tidings.entrypoints.resident.image import Luggage, Phase, become
from tidings.entrypoints.resident.proof import prove_parent, prove_told
from tidings.entrypoints.resident.registering import claim_lease, settle_session
from tidings.entrypoints.resident.waiting import ASKED_TO_END, Endings, OwnerWatch, wait_for
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import OwnerUnprovable, TidingsError
from tidings.ports.tokens import LockKind, Ring, Verdict
from tidings.ports.values import dataclass, replace

FIRST_AGAIN_SECONDS = 0.2
AGAIN_SECONDS = 5.0
"""How long one that could not register waits, at first and at most: a monitor that ends would wake
the model (H 9), and a store that was locked for a moment must not cost five seconds."""

ELECTION_SECONDS = 0.05
"""The resident lock is also looked at, for some microseconds; that is no other resident."""


def arrive(luggage: Luggage, environment: Mapping[str, str]) -> int:
    """Registers and goes on as the next image; returns only when the harness is gone or was never
    ours (0), or when we were told to end (130). A helper returns 0 also where another process is
    the resident; a monitor waits, since its end would wake the model (H 9), and takes over."""
    app = open_application(environment)
    endings = Endings(asked=luggage.ending)
    owner = _prove(app, luggage)
    luggage = replace(luggage, owner=owner)
    watch = OwnerWatch(owner.birth.pid)
    trouble, pause = "", FIRST_AGAIN_SECONDS
    while not (endings.asked or _is_gone(app, owner)):
        settled = _settle_in(app, owner, luggage, environment)
        luggage = settled.luggage
        if settled.phase is not None:
            become(settled.phase, luggage, endings)
        if settled.trouble != trouble:
            trouble = settled.trouble
            app.ports.journal.write("resident.not-registered", session=owner.key, why=trouble)
        if luggage.lock < 0:
            if luggage.is_helper:
                return 0
            app.ports.doorbell.ring(owner.key, why=Ring.YIELD)
        wait_for([*watch.filenos(), *endings.filenos()], seconds=pause)
        pause = min(2 * pause, AGAIN_SECONDS)
    return _part(app, owner)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settled:
    """How one try went. ``phase`` None: another is the resident, or the state refuses (``trouble``);
    what was taken so far is in ``luggage``, for the next try."""

    luggage: Luggage
    phase: Phase | None = None
    trouble: str = ""


def _prove(app: Application, luggage: Luggage) -> SessionOwner:
    """Our harness, proved. One that has arrived before is known, and may be gone by now."""
    try:
        if luggage.is_helper and luggage.owner is not None:
            start = luggage.owner.birth.start
            return prove_told(app.probe, luggage.credentials, start=start)
        return prove_parent(app.probe, luggage.credentials)
    except OwnerUnprovable:
        if luggage.owner is None:
            raise
        return luggage.owner


def _settle_in(
    app: Application, owner: SessionOwner, luggage: Luggage, environment: Mapping[str, str]
) -> _Settled:
    """Lock, bell, presence, agent, lease, in this order."""
    try:
        if luggage.lock < 0:
            lock = app.ports.locks.take(LockKind.RESIDENT, owner.key, wait_seconds=ELECTION_SECONDS)
            luggage = replace(luggage, lock=lock.fileno())
        if luggage.bell[0] < 0:
            folder = events_folder(find_places(environment))
            luggage = replace(luggage, bell=hung_up(folder, owner.key))
        end_departed(app)  # Before the newcomer takes over the address of one of them.
        activation = settle_session(app, owner, luggage.credentials, environment)
        outcome = claim_lease(app, activation, luggage.credentials)
    except TidingsError as error:
        return _Settled(luggage=luggage, trouble=type(error).__name__)
    if isinstance(outcome, ClaimRefused):
        return _Settled(luggage=luggage, trouble=str(outcome.reason))
    app.ports.journal.write("resident.ready", session=owner.key)
    if swept := sweep_reply_sockets(find_places(environment)):
        app.ports.journal.write("resident.swept", session=owner.key, sockets=swept)
    luggage = replace(luggage, generation=outcome.row.generation)
    return _Settled(luggage=luggage, phase=_next_phase(app, activation))


def _next_phase(app: Application, activation: ActivationRow) -> Phase:
    """Whatever was left open by an earlier resident, or held without one, is taken up at once."""
    business = app.post_office.business(activation.agent_uid)
    is_open = business.waiting or business.unproved or business.asked
    return Phase.AWAKE if is_open else Phase.DORMANT


def _is_gone(app: Application, owner: SessionOwner) -> bool:
    return app.probe.alive_birth(owner.birth, owner.place) is Verdict.DEAD


def _part(app: Application, owner: SessionOwner) -> int:
    """Ends the run of a harness that is gone, in case its resident went before it."""
    if not _is_gone(app, owner):
        return ASKED_TO_END
    try:
        activation = app.admission.activation_of(owner.key)
        if activation is not None:
            app.admission.end(activation.activation_id, reason="process-gone")
            app.post_office.settle_due(activation.agent_uid)
    except TidingsError as error:
        app.ports.journal.write("resident.parted", why=type(error).__name__)
    return 0
