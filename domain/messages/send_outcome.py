"""What a sender gets back: a receipt or a refusal (P8, P12). Light: embedders import these first."""

from typing import TYPE_CHECKING, TypeAlias

from tidings.ports.values import dataclass

if TYPE_CHECKING:
    from tidings.domain.messages.delivery import State
    from tidings.domain.messages.evidence import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A stored message as it stands. ``short`` is the ref as people type it.

    ``replayed``: this ref was stored before and nothing was sent again. ``whole``: the frame will
    carry the whole text, not only its head. ``text`` and ``next_step`` explain the reason; both
    are empty for a message that is on its way. Instants are wall nanoseconds.
    """

    ref: str
    short: str
    state: "State"
    reason: str
    outcome_unknown: bool
    evidence: "Evidence"
    text: str
    next_step: str
    exit_code: int
    accepted_at_ns: int
    deadline_ns: int
    replayed: bool
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nothing was stored, and nothing will happen. ``earlier_ref`` names the message in the way."""

    reason: str
    text: str
    next_step: str
    exit_code: int
    detail: str = ""
    earlier_ref: str = ""


SendOutcome: TypeAlias = Receipt | Refused
