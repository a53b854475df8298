"""``tidings monitor``: becomes the resident of the session whose client started it."""

import os
import sys
from collections.abc import Sequence

from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.resident.credentials import take_credentials
from tidings.entrypoints.resident.image import Luggage, Phase, become
from tidings.entrypoints.resident.proof import prove_parent
from tidings.entrypoints.resident.silence import fall_silent
from tidings.ports.errors import TidingsError


def run(words: Sequence[str]) -> int:
    """Never returns where a client started it, whatever stands in its way: its end would wake the
    model (H 9). Raises ``OwnerUnprovable`` where none did."""
    VerbParser("monitor").read(words)
    credentials = take_credentials(os.environ)
    try:
        prove_parent(open_application(os.environ).probe, credentials)
    except TidingsError as error:
        if credentials.harness_pid != os.getppid():
            raise
        sys.stderr.write(f"tidings: {error.text}\n")
        fall_silent(is_helper=False)
    become(Phase.ARRIVING, Luggage(credentials=credentials))
