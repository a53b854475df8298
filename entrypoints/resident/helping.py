"""The image before the first one, of a helper that a hook launched (D12, R 2).

It gives the session's own monitor time to become the resident, since the harness trusts its live
child in every mode (H 9), and ends in silence where it did. Nobody waits for it or looks at how it
ended.
"""

import os
import stat
import time
from collections.abc import Mapping, Sequence

from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.documents import Fields, FieldWrong
from tidings.domain.identity.owner import SessionOwner
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.launching import LONGEST_BOOTSTRAP, TOLD_KEYS
from tidings.entrypoints.resident.credentials import Credentials, take_credentials
from tidings.entrypoints.resident.image import Luggage, Phase, become
from tidings.entrypoints.resident.proof import prove_told, require_published
from tidings.entrypoints.resident.waiting import ASKED_TO_END, Endings, OwnerWatch, wait_for
from tidings.ports.codec import DocumentUnreadable
from tidings.ports.errors import UsageError
from tidings.ports.tokens import LockKind, Verdict
from tidings.ports.values import dataclass

MONITOR_SECONDS = 2.0
"""How long a monitor may take to become the resident (D12)."""

LOOK_SECONDS = 0.1
FIRST_FREE_DESCRIPTOR = 3
MOST_DESCRIPTORS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the hook told its helper: the harness by its start, and what that said of itself."""

    start: str
    credentials: Credentials


def help_out(words: Sequence[str], environment: Mapping[str, str]) -> int:
    """Becomes the resident of the session that a hook told of, or ends: 0, also where another one
    is; 130 where it was told to end. Raises ``UsageError`` where no hook launched it, and
    ``OwnerUnprovable`` where the process is not what the hook saw or publishes no session."""
    told = _read_told(words)
    _detach()
    app = open_application(environment)
    owner = prove_told(app.probe, told.credentials, start=told.start)
    endings = Endings()
    if _is_needed(app, owner, endings):
        require_published(app.ports.presence, owner.birth)
        luggage = Luggage(credentials=told.credentials, owner=owner, is_helper=True)
        become(Phase.ARRIVING, luggage, endings)
    return ASKED_TO_END if endings.asked else 0


def _is_needed(app: Application, owner: SessionOwner, endings: Endings) -> bool:
    """Whether the harness lives and nobody else became its resident in the time of a monitor."""
    watch = OwnerWatch(owner.birth.pid)
    ends_at = time.monotonic() + MONITOR_SECONDS
    while not (endings.asked or _is_over(app, owner)):
        left = ends_at - time.monotonic()
        if left <= 0:
            watch.close()
            return True
        watched = [*watch.filenos(), *endings.filenos()]
        if wait_for(watched, seconds=min(left, LOOK_SECONDS)).intersection(watch.filenos()):
            watch.close()  # it rang once; the kernel's word is what counts
    return False


def _is_over(app: Application, owner: SessionOwner) -> bool:
    if app.ports.locks.is_taken(LockKind.RESIDENT, owner.key):
        return True
    return app.probe.alive_birth(owner.birth, owner.place) is Verdict.DEAD


def _read_told(words: Sequence[str]) -> Told:
    try:
        (pipe,) = words
        fields = Fields(document=JsonCodec().decode(_read(int(pipe))))
        fields.version(1)
        credentials = take_credentials({name: fields.text(name, default="") for name in TOLD_KEYS})
        if credentials.harness_pid != fields.integer("pid", least=1):
            raise ValueError("another process than the one that the variables name")
        return Told(start=fields.text("start"), credentials=credentials)
    except (ValueError, OSError, FieldWrong, DocumentUnreadable) as fault:
        raise UsageError("only a hook starts this program") from fault


def _read(pipe: int) -> bytes:
    """What is in the pipe; its writer has ended."""
    if not stat.S_ISFIFO(os.fstat(pipe).st_mode):
        raise ValueError("no pipe")
    with os.fdopen(pipe, "rb") as handle:
        return handle.read(LONGEST_BOOTSTRAP)


def _detach() -> None:
    """A session of its own, and nothing of what the harness left open in its hook."""
    if os.getsid(0) != os.getpid():
        os.setsid()
    os.closerange(FIRST_FREE_DESCRIPTOR, MOST_DESCRIPTORS)
