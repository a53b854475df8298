"""Guards against agents that talk too much, read from the store's own record (D21).

A library process is a program, not a model, and does as it was written: it is not counted.
"""

from tidings.domain.messages.deadline import elapsed_ns
from tidings.domain.messages.limits import (
    CYCLE_MOST,
    CYCLE_WINDOW_NS,
    RATE_MOST,
    RATE_WINDOW_NS,
    SECOND_NS,
)
from tidings.domain.messages.receipt import refused
from tidings.domain.messages.send_outcome import Refused
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Instant
from tidings.ports.messages import MessageRow, MessageTransaction
from tidings.ports.tokens import Provider


def rate_refusal(
    tx: MessageTransaction, source: ActivationRow | None, target_agent: str, now: Instant
) -> Refused | None:
    """The refusal of one message too many to the same agent within a minute."""
    if source is None or source.provider == Provider.PROCESS:
        return None
    row = tx.latest_of_pair(source.agent_uid, target_agent, skip=RATE_MOST - 1)
    left_ns = RATE_WINDOW_NS - elapsed_ns(row, now) if row is not None else 0
    return refused("pair-rate", detail=_resets_in(left_ns)) if left_ns > 0 else None


def cycle_refusal(
    tx: MessageTransaction, answered: MessageRow, replier: ActivationRow, now: Instant
) -> Refused | None:
    """The refusal of one more answer to an answer, in a chain that grew too fast for people."""
    if replier.provider == Provider.PROCESS:
        return None
    hop: MessageRow | None = answered
    for _ in range(CYCLE_MOST - 1):
        if hop is None or hop.reply_to is None:
            return None
        hop = tx.message(hop.reply_to)
    left_ns = CYCLE_WINDOW_NS - elapsed_ns(hop, now) if hop is not None else 0
    return refused("cycle-cap", detail=_resets_in(left_ns)) if left_ns > 0 else None


def _resets_in(nanoseconds: int) -> str:
    return f"resets in {-(-nanoseconds // SECOND_NS)} s"
