"""The first image: proves the parent, takes the resident lock, registers, claims the lease."""

import os
from collections.abc import Mapping
from dataclasses import replace

from tidings.domain.identity.owner import SessionOwner
from tidings.domain.registration.claim import Claimed
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import events_folder, open_application
from tidings.entrypoints.places import find_places
from tidings.entrypoints.resident.bell import hung_up
from tidings.entrypoints.resident.credentials import Credentials
from tidings.entrypoints.resident.image import Luggage, Phase, become
from tidings.entrypoints.resident.proof import prove_parent
from tidings.entrypoints.resident.waiting import OwnerWatch, wait_for
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import TidingsError
from tidings.ports.processes import ProcessBirth
from tidings.ports.tokens import LockKind, Provider, Verdict

AGAIN_SECONDS = 5.0
"""How long one that could not register waits: a monitor that ends would wake the model (H 9)."""


def arrive(luggage: Luggage, environment: Mapping[str, str]) -> int:
    """Registers and falls asleep; returns only when the harness is gone or was never ours."""
    app = open_application(environment)
    owner = prove_parent(app.probe, luggage.credentials)
    luggage = replace(luggage, owner=owner)
    watch = OwnerWatch(owner.birth.pid)
    while app.probe.alive_birth(owner.birth, owner.place) is not Verdict.DEAD:
        luggage, is_settled = _settle_in(app, owner, luggage, environment)
        if is_settled:
            become(Phase.DORMANT, luggage)
        wait_for(watch.filenos(), seconds=AGAIN_SECONDS)
    return 0


def _settle_in(
    app: Application, owner: SessionOwner, luggage: Luggage, environment: Mapping[str, str]
) -> tuple[Luggage, bool]:
    """Lock, bell, presence, agent, lease, in this order. False: another is the resident, or the
    state refuses; what was taken so far is kept for the next try."""
    try:
        if luggage.lock < 0:
            lock = app.ports.locks.take(LockKind.RESIDENT, owner.key, wait_seconds=0)
            luggage = replace(luggage, lock=lock.fileno())
        if luggage.bell[0] < 0:
            folder = events_folder(find_places(environment))
            luggage = replace(luggage, bell=hung_up(folder, owner.key))
        generation = _register(app, owner, luggage.credentials, environment)
    except TidingsError as error:
        app.ports.journal.write("resident.not-registered", why=type(error).__name__)
        return luggage, False
    return replace(luggage, generation=generation), bool(generation)


def _register(
    app: Application,
    owner: SessionOwner,
    credentials: Credentials,
    environment: Mapping[str, str],
) -> str:
    """Presence, agent and lease; the lease's generation, or empty where the claim was refused."""
    activation = settle_session(app, owner, credentials, environment)
    prior = app.admission.registration_of(activation.activation_id)
    outcome = app.admission.claim(
        activation,
        resident=own_birth(app),
        observed_prior=prior.generation if prior is not None else "",
        client_version=credentials.client_version,
    )
    if isinstance(outcome, Claimed):
        app.ports.journal.write("resident.ready", session=owner.key)
        return outcome.row.generation
    app.ports.journal.write("resident.claim-refused", why=str(outcome.reason))
    return ""


def settle_session(
    app: Application,
    owner: SessionOwner,
    credentials: Credentials,
    environment: Mapping[str, str],
) -> ActivationRow:
    """Writes the session record and admits its agent under an address of its own (D5)."""
    sighting = app.ports.presence.at(owner.birth.pid)
    label = environment.get("TIDINGS_AGENT", "")
    name = sighting.name if sighting is not None else ""
    declared = sighting.cwd if sighting is not None else ""
    cwd = os.path.realpath(declared or os.getcwd())
    app.roster.register(
        owner,
        provider=Provider.CLAUDE,
        session_id=credentials.conversation_id,
        label=label,
        cwd=cwd,
        name=name,
    )
    return app.admission.admit(
        owner,
        provider=Provider.CLAUDE,
        conversation_id=credentials.conversation_id,
        label=label,
        cwd=cwd,
        wanted=[label, name, os.path.basename(cwd)],
    )


def own_birth(app: Application) -> ProcessBirth:
    """This process, as the kernel knows it; it survives ``execv``. Raises ``OwnerUnprovable``."""
    return app.probe.capture(app.probe.self_pid(), socket_path=None).birth
