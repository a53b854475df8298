"""One image of the resident; only the resident itself (``image.become``) or a hook starts it."""

import os
import sys

from tidings.entrypoints.launching import PHASE
from tidings.entrypoints.resident.image import Luggage, Phase, unpack
from tidings.entrypoints.resident.silence import fall_silent
from tidings.ports.errors import TidingsError


def main() -> int:
    """Runs the phase that the words name. Other words are a usage error and change nothing."""
    try:
        if sys.argv[1:2] == [PHASE]:
            from tidings.entrypoints.resident.helping import help_out

            return help_out(sys.argv[2:], os.environ)
        phase, luggage = unpack(sys.argv[1:])
        try:
            return _run(phase, luggage)
        except ImportError:  # Tidings is being removed: what was not loaded yet is gone
            fall_silent(is_helper=luggage.is_helper)
    except TidingsError as error:
        sys.stderr.write(f"tidings: {error.text}\n")
        return error.exit_code


def _run(phase: Phase, luggage: Luggage) -> int:
    match phase:
        case Phase.ARRIVING:
            from tidings.entrypoints.resident.arriving import arrive

            return arrive(luggage, os.environ)
        case Phase.DORMANT:
            from tidings.entrypoints.resident.dormant import stay_dormant

            return stay_dormant(luggage, os.environ)
        case Phase.AWAKE:
            from tidings.entrypoints.resident.awake import stay_awake

            return stay_awake(luggage, os.environ)


if __name__ == "__main__":
    raise SystemExit(main())
