"""Opt-ins and session records for tests that are about something else."""

from tidings.domain.consent.opt_in import NO_OPT_IN, OptIn
from tidings.domain.identity.owner import SessionOwner


def nobody_opted_in(_key: str) -> OptIn:
    """The default of a session in a folder without a file."""
    return NO_OPT_IN


def nobody_registered(_key: str) -> SessionOwner | None:
    """A session without a record."""
    return None
