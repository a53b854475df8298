"""How a session is reached, as ``ls`` shows it and as its resident goes about it (D17)."""

from tidings.domain.messages.outlook import Ways
from tidings.domain.messages.qualification import Standing, standing_of
from tidings.domain.messages.transports import first_way
from tidings.domain.messages.ways import ways_of
from tidings.domain.registration.admission import LivingAgent
from tidings.domain.registration.shape import Shape
from tidings.entrypoints.application import Application
from tidings.ports.agents import ActivationRow, RegistrationRow
from tidings.ports.inbound import InboundPolicy
from tidings.ports.messages import StoreTransaction
from tidings.ports.processes import ProcessBirth, ProcessSeen
from tidings.ports.tokens import TransportName
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The first way that a session with a living resident has, and what its client says to it."""

    transport: TransportName
    version: str
    standing: Standing
    inbound: InboundPolicy


def is_monitor(app: Application, owner: ProcessBirth, resident: ProcessBirth) -> bool:
    """Whether the resident is its harness's own live child, and so its plugin's monitor: a helper
    that a hook launched has lost its parent by then."""
    fact = app.ports.processes.look(resident.pid)
    return isinstance(fact, ProcessSeen) and fact.birth == resident and fact.parent_pid == owner.pid


def reach_of(app: Application, agent: LivingAgent) -> Reach | None:
    """None where no resident is there to reach it. Reads only."""
    target, now = agent.activation, app.ports.clock.now()

    def look(tx: StoreTransaction) -> tuple[RegistrationRow | None, Standing]:
        return tx.registration(target.activation_id), standing_of(tx, target, now)

    lease, standing = app.ports.store.view(look)
    if agent.shape is not Shape.READY or lease is None or lease.resident is None:
        return None
    inbound = app.ports.inbound.policy(target.cwd)
    return Reach(
        transport=first_way(_ways(app, target, lease.resident, inbound), standing),
        version=lease.client_version,
        standing=standing,
        inbound=inbound,
    )


def _ways(
    app: Application, target: ActivationRow, resident: ProcessBirth, inbound: InboundPolicy
) -> Ways:
    sighting = app.ports.presence.at(target.owner.pid)
    return ways_of(
        has_socket=sighting is not None and bool(sighting.socket_path),
        is_monitor=is_monitor(app, target.owner, resident),
        lets_outsiders_in=app.lets_outsiders_in(target.session_key),
        inbound=inbound,
    )
