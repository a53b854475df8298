"""Compare-and-set on a registration: a replaced resident writes zero and claims zero (R 3.3, P9)."""

from enum import StrEnum
from typing import TypeAlias

from tidings.ports.agents import RegistrationRow
from tidings.ports.processes import ProcessBirth
from tidings.ports.values import dataclass, replace


class ClaimRefusal(StrEnum):
    """Why a claim was refused; the tokens are those of R 3.2."""

    COMPETING = "claim-refused-competing"
    NEWER = "claim-refused-newer"
    ACTIVATION = "claim-refused-activation"
    GONE = "provider-process-gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """The row to write. Claim and ready are one write, so nobody sees one without the other."""

    row: RegistrationRow
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRefused:
    """Nothing is written."""

    reason: ClaimRefusal


ClaimOutcome: TypeAlias = Claimed | ClaimRefused


def decide_claim(
    current: RegistrationRow | None, *, observed_prior: str, wanted: RegistrationRow
) -> ClaimOutcome:
    """Judges one claim. ``observed_prior`` is the generation the claimant saw first, or empty.

    The same generation with the same conversation and resident is a success without a change;
    with another conversation or resident it competes. Any generation but the observed one is
    newer than the claimant.
    """
    if current is not None and current.generation == wanted.generation:
        same = (current.conversation_id, current.resident) == (
            wanted.conversation_id,
            wanted.resident,
        )
        return (
            Claimed(row=current, changed=False)
            if same
            else ClaimRefused(reason=ClaimRefusal.COMPETING)
        )
    prior = current.generation if current is not None else ""
    if prior != observed_prior:
        return ClaimRefused(reason=ClaimRefusal.NEWER)
    return Claimed(row=wanted, changed=True)


def cleared(
    current: RegistrationRow | None, *, generation: str, resident: ProcessBirth
) -> RegistrationRow | None:
    """The row without its lease if every field matches, else None: a late clear harms nobody.

    Generation and conversation stay as residue, which tells "lost" from "never registered".
    """
    if current is None or (current.generation, current.resident) != (generation, resident):
        return None
    return replace(current, resident=None, ready=False)


def holds_lease(
    current: RegistrationRow | None, *, generation: str, resident: ProcessBirth
) -> bool:
    """Whether exactly this resident holds the ready lease with exactly this generation."""
    return (
        current is not None
        and current.ready
        and (current.generation, current.resident) == (generation, resident)
    )
