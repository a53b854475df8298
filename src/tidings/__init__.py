"""Tidings: coding-agent sessions hear from each other, alive, proved, consenting and free.

The library's public names are loaded when they are first asked for; importing this package alone
costs next to nothing, which is why ``typing`` is not imported here either.
"""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from tidings.entrypoints.library import (
        Ambiguous,
        Archive,
        InboxMessage,
        LockTimeout,
        Member,
        NotAllowed,
        NotFound,
        NotRunning,
        Operator,
        OwnerUnprovable,
        Progress,
        Receipt,
        Refused,
        Session,
        StateUnreadable,
        StateUnwritable,
        StoreLocked,
        StoreMalformed,
        Tidings,
        TidingsError,
        UsageError,
    )

__version__ = "0.1.0"

__all__ = [
    "Ambiguous",
    "Archive",
    "InboxMessage",
    "LockTimeout",
    "Member",
    "NotAllowed",
    "NotFound",
    "NotRunning",
    "Operator",
    "OwnerUnprovable",
    "Progress",
    "Receipt",
    "Refused",
    "Session",
    "StateUnreadable",
    "StateUnwritable",
    "StoreLocked",
    "StoreMalformed",
    "Tidings",
    "TidingsError",
    "UsageError",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'tidings' has no attribute {name!r}")
    from tidings.entrypoints import library

    return getattr(library, name)
