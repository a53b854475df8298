"""Becoming another image of the same process: dormant and awake are never in memory together.

``execv`` keeps the pid, the birth, standard output and the descriptors of the resident lock and of
the bell; memory returns, and two versions of the code never run in one process (D12). What one
image knows goes to the next through an anonymous pipe: argv names only the phase and that pipe.
"""

import json
import os
import stat
import sys
from enum import StrEnum
from typing import NoReturn

from tidings.domain.documents import Fields
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.owner_document import owner_to_document, read_owner
from tidings.entrypoints.resident.credentials import Credentials
from tidings.entrypoints.resident.silence import fall_silent, is_installed
from tidings.entrypoints.resident.waiting import Endings, hold_endings
from tidings.ports.errors import UsageError
from tidings.ports.values import dataclass, replace

MODULE = "tidings.entrypoints.resident"

LONGEST_BOOTSTRAP = 65_536
"""Bytes: what an anonymous pipe holds without a reader (R 2.3)."""


class Phase(StrEnum):
    """The three images. ``arriving`` proves and registers, once; then the other two take turns."""

    ARRIVING = "arriving"
    DORMANT = "dormant"
    AWAKE = "awake"


@dataclass(frozen=True, slots=True, kw_only=True)
class Luggage:
    """What one image hands to the next.

    ``owner`` None and ``generation`` empty: not arrived yet. ``lock`` and ``bell`` are descriptors
    that stay open, so that nobody else becomes the resident and no ring is lost in between.
    ``ending``: the harness asked us to end, and the next image is the one that parts.
    ``is_helper``: launched by a hook, so no live child of the harness (D12).
    """

    credentials: Credentials
    owner: SessionOwner | None = None
    generation: str = ""
    lock: int = -1
    bell: tuple[int, int] = (-1, -1)
    ending: bool = False
    is_helper: bool = False


def become(phase: Phase, luggage: Luggage, endings: Endings | None = None) -> NoReturn:
    """Replaces this image; never returns. The environment goes along without its secrets.

    A signal to end that came before goes along; one that comes in between waits until the next
    image can hear it. Where Tidings was removed meanwhile there is none, and it falls silent.
    """
    hold_endings()
    if endings is not None:
        luggage = replace(luggage, ending=endings.asked)
    if not is_installed():
        fall_silent(is_helper=luggage.is_helper, is_ending=luggage.ending)
    for descriptor in (luggage.lock, *luggage.bell):
        if descriptor >= 0:
            os.set_inheritable(descriptor, True)
    pipe = _packed(luggage)
    os.execv(sys.executable, [sys.executable, "-I", "-m", MODULE, str(phase), str(pipe)])


def unpack(words: list[str]) -> tuple[Phase, Luggage]:
    """The other end of ``become``. Raises ``UsageError`` for words that are none of its own."""
    try:
        word, pipe = words
        return Phase(word), _unpacked(_read(int(pipe)))
    except (ValueError, KeyError, TypeError, OSError) as fault:
        raise UsageError("only a monitor or a hook starts this program") from fault


def _read(pipe: int) -> bytes:
    """What is in the pipe: never more than it can hold, and never a wait for more."""
    if not stat.S_ISFIFO(os.fstat(pipe).st_mode):
        raise ValueError("no pipe")
    with os.fdopen(pipe, "rb") as handle:
        return handle.read(LONGEST_BOOTSTRAP)


def _unpacked(data: bytes) -> Luggage:
    found = json.loads(data)
    owner = found["owner"]
    return Luggage(
        credentials=Credentials(**found["credentials"]),
        owner=None if owner is None else read_owner(Fields(document=owner)),
        generation=found["generation"],
        lock=found["lock"],
        bell=tuple(found["bell"]),
        ending=found["ending"],
        is_helper=found.get("is_helper", False),  # an image of before helpers was a monitor's
    )


def _packed(luggage: Luggage) -> int:
    """An inheritable descriptor from which the next image reads the luggage once."""
    owner = None if luggage.owner is None else owner_to_document(luggage.owner)
    packed = {
        "credentials": luggage.credentials.to_document(),
        "owner": owner,
        "generation": luggage.generation,
        "lock": luggage.lock,
        "bell": luggage.bell,
        "ending": luggage.ending,
        "is_helper": luggage.is_helper,
    }
    data = json.dumps(packed).encode()
    if len(data) > LONGEST_BOOTSTRAP:
        raise ValueError("the luggage does not fit its pipe")
    reader, writer = os.pipe()
    os.write(writer, data)
    os.close(writer)
    os.set_inheritable(reader, True)
    return reader
