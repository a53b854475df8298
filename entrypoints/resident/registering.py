"""A session becomes reachable: its record, its agent with an address, and the lease on it."""

import os
from collections.abc import Mapping

from tidings.domain.identity.owner import SessionOwner
from tidings.domain.registration.claim import ClaimOutcome
from tidings.domain.sessions.labels import address_idea, choose_label
from tidings.entrypoints.application import Application
from tidings.entrypoints.resident.credentials import Credentials
from tidings.entrypoints.surroundings import standing_folder, storable
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import OwnerUnprovable
from tidings.ports.processes import ProcessBirth
from tidings.ports.tokens import Provider


def claim_lease(
    app: Application, activation: ActivationRow, credentials: Credentials
) -> ClaimOutcome:
    """Claims the lease for this process, against the generation that is there now (R 3.3)."""
    prior = app.admission.registration_of(activation.activation_id)
    return app.admission.claim(
        activation,
        resident=own_birth(app),
        observed_prior=prior.generation if prior is not None else "",
        client_version=credentials.client_version,
    )


def settle_session(
    app: Application,
    owner: SessionOwner,
    credentials: Credentials,
    environment: Mapping[str, str],
) -> ActivationRow:
    """Writes the session record and admits its agent under an address of its own (D5).

    What the hooks told outweighs the environment: that keeps the first conversation for ever (H 3).
    """
    sighting = app.ports.presence.at(owner.birth.pid)
    name = storable(sighting.name) if sighting is not None else ""
    declared = storable(sighting.cwd) if sighting is not None else ""
    cwd = os.path.realpath(declared) if declared else standing_folder()
    label = storable(
        choose_label(
            registered=app.roster.label_of(owner),
            repository=app.defaults.label_of(cwd),
            environment=environment,
        )
    )
    conversation_id = app.conversation_of(owner.key) or storable(credentials.conversation_id)
    app.roster.register(
        owner,
        provider=Provider.CLAUDE,
        session_id=conversation_id,
        label=label,
        cwd=cwd,
        name=name,
    )
    app.desk.tidy()
    return app.admission.admit(
        owner,
        provider=Provider.CLAUDE,
        conversation_id=conversation_id,
        label=label,
        cwd=cwd,
        wanted=[address_idea(label), name, os.path.basename(cwd)],
    )


def socket_moved(app: Application, owner: SessionOwner, credentials: Credentials) -> bool:
    """Whether another socket is there than the node that was recorded: bound anew, or late.

    Such a session is to be registered anew; until then it counts as dead, and nothing is written.
    A socket that is gone is none of this: a client closes it first when it ends (H 2).
    """
    try:
        now = app.probe.capture(owner.birth.pid, socket_path=credentials.socket_path or None)
    except OwnerUnprovable:
        return False
    return now.birth == owner.birth and now.socket not in (None, owner.socket)


def own_birth(app: Application) -> ProcessBirth:
    """This process, as the kernel knows it; it survives ``execv``. Raises ``OwnerUnprovable``."""
    return app.probe.capture(app.probe.self_pid(), socket_path=None).birth
