"""Every reason a message can have, as data: one cause, one safe next action each (M 2.4, D20)."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from tidings.domain.messages.reason_table import ROWS
from tidings.ports.values import dataclass


class Stage(StrEnum):
    """Where a reason belongs: before acceptance, or to a state of the delivery."""

    REFUSAL = "refusal"
    HELD = "held"
    DELIVERED = "delivered"
    REFUSED = "refused"
    EXPIRED = "expired"
    STALE = "stale"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonEntry:
    """One row of the catalogue.

    ``stage`` REFUSAL means that nothing was stored. ``outcome_unknown`` means that bytes may have
    gone. ``exit_code`` is that of a verb that ends with this reason (design page 1).
    """

    token: str
    stage: Stage
    outcome_unknown: bool
    exit_code: int
    meaning: str
    next_step: str


_CODES: Final[Mapping[Stage, int]] = {
    Stage.REFUSAL: 1,
    Stage.HELD: 0,
    Stage.DELIVERED: 0,
    Stage.REFUSED: 1,
    Stage.EXPIRED: 1,
    Stage.STALE: 1,
    Stage.FAILED: 1,
}


def _entry(row: tuple[str, str, str, str, str]) -> ReasonEntry:
    token, stage_word, flag, meaning, next_step = row
    stage, unknown = Stage(stage_word), flag == "unknown"
    code = 8 if unknown else int(flag) if flag else _CODES[stage]
    return ReasonEntry(
        token=token,
        stage=stage,
        outcome_unknown=unknown,
        exit_code=code,
        meaning=meaning,
        next_step=next_step,
    )


CATALOGUE: Final[Mapping[str, ReasonEntry]] = {row[0]: _entry(row) for row in ROWS}

EVENT_NAMES: Final = frozenset(
    {"accepted", *(stage for stage in Stage if stage is not Stage.REFUSAL)}
    | {"hand-off", "taken-back", "seen", "unseen", "answered"}
    | {"doorbell", "answer-refused"}
)
"""What an event of a message may be called: a state it went into, a step of its hand-off, or what
else was told of it."""

KNOWN_ZERO: Final = frozenset(
    {
        "provider-frame-invalid-auth",
        "provider-frame-invalid-content",
        "provider-frame-build-failed",
        "provider-frame-too-large",
        "provider-frame-unsupported",
        "provider-prewrite-refused",
        "provider-write-zero",
    }
)
"""Failures after which no byte can have left: the message may be sent again by hand (M 6.6)."""

_TOO_LARGE: Final = re.compile(
    r"provider-frame-too-large: frameBytes=([1-9]\d*) limitBytes=([1-9]\d*)", re.ASCII | re.DOTALL
)


def token_of(reason: str) -> str:
    """The catalogue's token of a stored reason; the size reason must be canonical (M 5.2)."""
    found = _TOO_LARGE.fullmatch(reason)
    if found is not None and int(found[1]) > int(found[2]):
        return "provider-frame-too-large"
    return reason if reason != "provider-frame-too-large" else ""


def entry_of(reason: str) -> ReasonEntry | None:
    """The catalogue's row for a stored reason, or None for an unknown one."""
    return CATALOGUE.get(token_of(reason))


def is_known_zero(reason: str) -> bool:
    """Whether ``reason`` proves that no byte left. An unknown reason proves nothing."""
    return token_of(reason) in KNOWN_ZERO
