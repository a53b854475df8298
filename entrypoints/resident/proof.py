"""The proof that a resident speaks for its harness (D12, R 2.5).

A monitor proves it by being a live child. A helper is none: the hook that launched it was, and saw
the harness as its own parent, and the harness must still be that process and publish its session.
"""

import os

from tidings.domain.identity.caller import fits
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.probe import OwnerProbe
from tidings.entrypoints.resident.credentials import Credentials
from tidings.ports.errors import OwnerUnprovable
from tidings.ports.presence import HarnessPresence
from tidings.ports.processes import ProcessBirth


def prove_parent(probe: OwnerProbe, credentials: Credentials) -> SessionOwner:
    """The harness as owner: our parent, named by ``CLAUDE_PID``, of one birth before and after.

    Raises ``OwnerUnprovable``. A monitor started by hand, by a shell or by another program than
    the named harness registers nothing.
    """
    first = _capture(probe, credentials)
    second = _capture(probe, credentials)
    if first.birth != second.birth:
        raise OwnerUnprovable("the harness changed while it was looked at")
    return second


def prove_told(probe: OwnerProbe, credentials: Credentials, *, start: str) -> SessionOwner:
    """The harness as a hook saw it: the named process, still of the ``start`` it had then.

    Raises ``OwnerUnprovable``.
    """
    owner = probe.capture(credentials.harness_pid, socket_path=credentials.socket_path or None)
    if owner.birth.start != start:
        raise OwnerUnprovable("the process that the hook told of is another one by now")
    if owner.birth.uid != os.geteuid():
        raise OwnerUnprovable("the process that the hook told of is somebody else's")
    return owner


def require_published(presence: HarnessPresence, birth: ProcessBirth) -> None:
    """Raises ``OwnerUnprovable`` where the client publishes no session of this very process: a
    program that only set the client's variables for its children is no harness."""
    sighting = presence.at(birth.pid)
    if sighting is None or not fits(sighting, birth):
        raise OwnerUnprovable(f"process {birth.pid} publishes no session")


def _capture(probe: OwnerProbe, credentials: Credentials) -> SessionOwner:
    parent = os.getppid()
    if not credentials.harness_pid or parent != credentials.harness_pid:
        raise OwnerUnprovable(
            "this process is no child of a harness session",
            next_step="let the client start it: its plugin's monitor command is "
            "`exec tidings monitor`",
        )
    owner = probe.capture(parent, socket_path=credentials.socket_path or None)
    if os.getppid() != parent:
        raise OwnerUnprovable("the harness ended while it was looked at")
    return owner
