"""The container: names the functions of ``assembly``, for overriding in tests and by embedders.

It chooses nothing itself. Hot verbs call the same functions without it (start-up cost).
"""

import os

from dependency_injector import containers, providers

from tidings.entrypoints import assembly
from tidings.entrypoints.application import Application
from tidings.entrypoints.given import GivenPorts
from tidings.entrypoints.places import Places, find_places


def _environment() -> dict[str, str]:
    return dict(os.environ)


class Container(containers.DeclarativeContainer):
    """One typed provider per port; ``application`` is what they are for.

    Override any of them before ``application`` is first asked for::

        container = Container()
        container.clock.override(providers.Object(ManualClock()))
        tidings = Tidings(container.application())
    """

    environment: providers.Provider[dict[str, str]] = providers.Callable(_environment)
    places: providers.Provider[Places] = providers.Singleton(find_places, environment)
    codec = providers.Singleton(assembly.codec)
    processes = providers.Singleton(assembly.processes, places)
    clock = providers.Singleton(assembly.clock, processes)
    ids = providers.Singleton(assembly.ids)
    sockets = providers.Singleton(assembly.sockets)
    records = providers.Singleton(assembly.session_records, places, codec)
    marks = providers.Singleton(assembly.consent_marks, places, codec)
    settings = providers.Singleton(assembly.settings, environment)
    approvals = providers.Singleton(assembly.approvals, places, codec)
    locks = providers.Singleton(assembly.locks, places)
    spool = providers.Singleton(assembly.spool, places)
    doorbell = providers.Singleton(assembly.doorbell, places)
    journal = providers.Singleton(assembly.journal, places, codec, clock)
    status = providers.Singleton(assembly.status, environment, codec)
    presence = providers.Singleton(assembly.presence, environment, codec)
    inbound = providers.Singleton(assembly.inbound, environment, codec)
    transcripts = providers.Singleton(assembly.transcripts)
    store = providers.Singleton(assembly.store, places, codec)
    transport = providers.Singleton(assembly.transport, processes, sockets, codec)
    ports = providers.Singleton(
        GivenPorts,
        codec=codec,
        clock=clock,
        ids=ids,
        processes=processes,
        sockets=sockets,
        records=records,
        marks=marks,
        settings=settings,
        approvals=approvals,
        locks=locks,
        spool=spool,
        doorbell=doorbell,
        journal=journal,
        status=status,
        presence=presence,
        inbound=inbound,
        transcripts=transcripts,
        store=store,
        transport=transport,
    )
    application: providers.Provider[Application] = providers.Singleton(Application, ports)
