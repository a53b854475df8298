"""Becoming another image of the same process: dormant and awake are never in memory together.

``execv`` keeps the pid, the birth, standard output and the descriptors of the resident lock and of
the bell; memory returns, and two versions of the code never run in one process (D12). What one
image knows goes to the next through an anonymous pipe: argv names only the phase and that pipe.
"""

import json
import os
import sys
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import NoReturn

from tidings.domain.documents import Fields
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.owner_document import owner_to_document, read_owner
from tidings.entrypoints.resident.credentials import Credentials

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
    """

    credentials: Credentials
    owner: SessionOwner | None = None
    generation: str = ""
    lock: int = -1
    bell: tuple[int, int] = (-1, -1)


def become(phase: Phase, luggage: Luggage) -> NoReturn:
    """Replaces this image; never returns. The environment goes along without its secrets."""
    for descriptor in (luggage.lock, *luggage.bell):
        if descriptor >= 0:
            os.set_inheritable(descriptor, True)
    pipe = _packed(luggage)
    os.execv(sys.executable, [sys.executable, "-I", "-m", MODULE, str(phase), str(pipe)])


def unpack(words: list[str]) -> tuple[Phase, Luggage]:
    """The other end of ``become``."""
    phase, pipe = words
    with os.fdopen(int(pipe), "rb") as handle:
        found = json.loads(handle.read(LONGEST_BOOTSTRAP))
    owner = found["owner"]
    luggage = Luggage(
        credentials=Credentials(**found["credentials"]),
        owner=None if owner is None else read_owner(Fields(document=owner)),
        generation=found["generation"],
        lock=found["lock"],
        bell=tuple(found["bell"]),
    )
    return Phase(phase), luggage


def _packed(luggage: Luggage) -> int:
    """An inheritable descriptor from which the next image reads the luggage once."""
    owner = None if luggage.owner is None else owner_to_document(luggage.owner)
    packed = {
        "credentials": asdict(luggage.credentials),
        "owner": owner,
        "generation": luggage.generation,
        "lock": luggage.lock,
        "bell": luggage.bell,
    }
    data = json.dumps(packed).encode()
    if len(data) > LONGEST_BOOTSTRAP:
        raise ValueError("the luggage does not fit its pipe")
    reader, writer = os.pipe()
    os.write(writer, data)
    os.close(writer)
    os.set_inheritable(reader, True)
    return reader
