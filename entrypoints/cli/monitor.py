"""``tidings monitor``: becomes the resident of the session whose client started it."""

import os
from collections.abc import Sequence

from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.resident.credentials import take_credentials
from tidings.entrypoints.resident.image import Luggage, Phase, become
from tidings.entrypoints.resident.proof import prove_parent


def run(words: Sequence[str]) -> int:
    """Never returns where a client started it. Raises ``OwnerUnprovable`` where none did."""
    VerbParser("monitor").read(words)
    credentials = take_credentials(os.environ)
    prove_parent(open_application(os.environ).probe, credentials)
    become(Phase.ARRIVING, Luggage(credentials=credentials))
