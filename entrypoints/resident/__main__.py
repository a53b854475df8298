"""One image of the resident; only the resident itself (``image.become``) or a hook starts it."""

import os
import sys

from tidings.entrypoints.launching import PHASE
from tidings.entrypoints.resident.image import Luggage, Phase, unpack
from tidings.entrypoints.resident.silence import fall_silent
from tidings.ports.errors import TidingsError

LONGEST_WHY = 200


def main() -> int:
    """Runs the phase that the words name. Other words are a usage error and change nothing.

    Whatever breaks in a phase ends in silence: then the next hook of the session finds nobody, and
    launches a helper.
    """
    try:
        if sys.argv[1:2] == [PHASE]:
            from tidings.entrypoints.resident.helping import help_out

            return help_out(sys.argv[2:], os.environ)
        phase, luggage = unpack(sys.argv[1:])
    except TidingsError as error:
        sys.stderr.write(f"tidings: {error.text}\n")
        return error.exit_code
    try:
        return _run(phase, luggage)
    except Exception as error:  # noqa: BLE001 - an end of any kind would wake the model (H 9)
        _note(error, luggage)
        fall_silent(is_helper=luggage.is_helper)


def _note(error: Exception, luggage: Luggage) -> None:
    """Whoever looks into the journal finds why a session has no resident."""
    try:
        from tidings.entrypoints.assembly import open_application

        key = luggage.owner.key if luggage.owner is not None else ""
        why = f"{type(error).__name__}: {str(error)[:LONGEST_WHY]}"
        open_application(os.environ).ports.journal.write("resident.broke", session=key, why=why)
    except Exception as second:  # noqa: BLE001 - Tidings may be half removed
        sys.stderr.write(f"tidings: {type(error).__name__}, {type(second).__name__}\n")


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
