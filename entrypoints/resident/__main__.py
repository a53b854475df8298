"""One image of the resident; only the resident itself starts it (see ``image.become``)."""

import os
import sys

from tidings.entrypoints.resident.image import Phase, unpack


def main() -> int:
    """Runs the phase that the words name."""
    phase, luggage = unpack(sys.argv[1:])
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
