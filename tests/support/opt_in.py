"""Opt-ins for tests that are about something else."""

from tidings.domain.consent.opt_in import NO_OPT_IN, OptIn


def nobody_opted_in(_key: str) -> OptIn:
    """The default of a session in a folder without a file."""
    return NO_OPT_IN
