"""Whether a message may go out now: the policy of the hold, as one pure decision (M 4, D6, D16)."""

from enum import StrEnum
from typing import Final, TypeAlias

from tidings.domain.interaction.freedom import AwaitsOperator, Free, Freedom
from tidings.domain.messages.delivery import Happening
from tidings.domain.messages.limits import IDLE_NS, MOST_UNPROVED
from tidings.domain.messages.wishes import When
from tidings.ports.tokens import Verdict
from tidings.ports.values import dataclass


class Permission(StrEnum):
    """What the target's consent mark says of one message now."""

    GRANTED = "granted"
    WITHDRAWN = "withdrawn"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldFacts:
    """Everything the decision looks at.

    ``marked``: the hand-off mark is set. ``target_current``: the run and conversation that the
    message was addressed to are still the present ones. ``unproved``: frames of the target that
    are neither seen nor unseen. ``when``: the moment that the sender asked for. ``idle_ns``: how
    long no turn has run, without a break; 0 where that is not known.
    """

    marked: bool
    past_deadline: bool
    target_current: bool
    owner: Verdict
    permission: Permission
    ready: bool
    freedom: Freedom
    unproved: int
    when: When = When.NOW
    idle_ns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Deliver:
    """Nothing stands in the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Not now; the deadline keeps running (M 4.6)."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle:
    """Never; the message ends this way."""

    happening: Happening
    reason: str
    outcome_unknown: bool = False


HoldDecision: TypeAlias = Deliver | Hold | Settle

STALE: Final = Settle(happening=Happening.STALE, reason="target-activation-stale")
EXPIRED: Final = Settle(happening=Happening.EXPIRE, reason="deadline-expired")
WITHDRAWN: Final = Settle(happening=Happening.REFUSE, reason="consent-withdrawn")
CANCELLED: Final = Settle(happening=Happening.REFUSE, reason="cancelled-by-sender")
SUPERSEDED: Final = Settle(happening=Happening.REFUSE, reason="superseded-by-newer")
LOST: Final = Settle(
    happening=Happening.FAIL, reason="provider-handoff-outcome-unknown", outcome_unknown=True
)


class HoldPolicy:
    """The order of the findings: what ends a message comes before what only delays it."""

    def decide(self, facts: HoldFacts) -> HoldDecision:
        """The first finding that applies; ``Deliver`` when none does. Doubt holds."""
        return self._end(facts) or self._delay(facts) or Deliver()

    def _end(self, facts: HoldFacts) -> Settle | None:
        if facts.marked:
            return LOST
        if not facts.target_current or facts.owner is Verdict.DEAD:
            return STALE
        if facts.past_deadline:
            return EXPIRED
        return WITHDRAWN if facts.permission is Permission.WITHDRAWN else None

    def _delay(self, facts: HoldFacts) -> Hold | None:
        if facts.permission is Permission.UNREADABLE:
            return Hold(reason="target-consent-unreadable")
        if not facts.ready or facts.owner is not Verdict.ALIVE:
            return Hold(reason="target-not-ready")
        if isinstance(facts.freedom, AwaitsOperator):
            return Hold(reason="target-awaiting-operator")
        if not _is_the_moment(facts):
            return Hold(reason="when")
        return Hold(reason="pacing") if facts.unproved >= MOST_UNPROVED else None


def _is_the_moment(facts: HoldFacts) -> bool:
    """Whether it is when the sender asked for. Not to know whether a turn runs is to wait."""
    is_idle = isinstance(facts.freedom, Free) and facts.freedom.idle is True
    match facts.when:
        case When.NOW:
            return True
        case When.TURN_END:
            return is_idle
        case When.IDLE:
            return is_idle and facts.idle_ns >= IDLE_NS
