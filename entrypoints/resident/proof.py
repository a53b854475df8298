"""The proof that this process is a live child of the harness it speaks for (D12, R 2.5)."""

import os

from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.probe import OwnerProbe
from tidings.entrypoints.resident.credentials import Credentials
from tidings.ports.errors import OwnerUnprovable


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
