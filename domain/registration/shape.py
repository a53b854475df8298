"""Why an agent is or is not reachable, as one of four shapes (R 1.7)."""

from enum import StrEnum

from tidings.ports.agents import RegistrationRow
from tidings.ports.tokens import Verdict


class Shape(StrEnum):
    """First match wins; the agent's phase is no input on purpose."""

    READY = "ready"
    SESSION_GONE = "session-gone"
    REGISTRATION_LOST = "registration-lost"
    NEVER_REGISTERED = "never-registered"


EXPLANATIONS: dict[Shape, tuple[str, str]] = {
    Shape.READY: ("its resident is registered and alive", ""),
    Shape.SESSION_GONE: (
        "the session's process has ended",
        "start the session again; a resumed conversation is found by itself",
    ),
    Shape.REGISTRATION_LOST: (
        "its resident ended while the session lives on",
        "begin a new session in that place; nothing needs to be deleted",
    ),
    Shape.NEVER_REGISTERED: (
        "no resident ever registered for it",
        "run `tidings monitor` from the client's plugin, then begin a new session",
    ),
}
"""Per shape: the diagnosis, and the one next step (empty where none is needed)."""


def classify(registration: RegistrationRow | None, *, owner: Verdict, resident: Verdict) -> Shape:
    """The shape from the row and two verdicts of the one liveness function.

    Unknown is not alive here: a lease counts only while both processes prove themselves (P2).
    """
    leased = registration is not None and registration.resident is not None and registration.ready
    if leased and owner is Verdict.ALIVE and resident is Verdict.ALIVE:
        return Shape.READY
    if owner is Verdict.DEAD:
        return Shape.SESSION_GONE
    if registration is not None and (registration.generation or registration.conversation_id):
        return Shape.REGISTRATION_LOST
    return Shape.NEVER_REGISTERED
