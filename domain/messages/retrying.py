"""Sending a message again by hand: only by its sender, and only where no byte of it left (D20)."""

from tidings.domain.identity.digest import sha256
from tidings.domain.messages.delivery import State
from tidings.domain.messages.receipt import refused
from tidings.domain.messages.refs import mint_ref
from tidings.domain.messages.reply import leaves_lane_open
from tidings.domain.messages.send_outcome import Refused
from tidings.ports.messages import MessageRow

_ENDED_UNWRITTEN = frozenset({State.REFUSED, State.EXPIRED, State.STALE})


class _Derived:
    """Bytes that follow from a ref instead of from chance."""

    def __init__(self, ref: str) -> None:
        self._ref = ref

    def random_bytes(self, count: int) -> bytes:
        return sha256(f"retry\0{self._ref}".encode()).digest()[:count]


def retry_refusal(row: MessageRow, *, source_agent: str | None) -> Refused | None:
    """Why ``source_agent`` (None: no agent) may not send ``row`` again; None where it may."""
    if row.source_agent != source_agent:
        return refused("source-not-yours")
    if is_proved_unwritten(row):
        return None
    return refused(
        "retry-not-known-zero",
        detail=f"state={row.state} reason={row.reason}",
        earlier_ref=row.ref,
    )


def is_proved_unwritten(row: MessageRow) -> bool:
    """Whether it ended and no byte of it left. A failure must say so by a listed reason; the other
    ends are such only before a hand-off mark."""
    if row.state in _ENDED_UNWRITTEN:
        return row.handoff_at_ns is None
    return leaves_lane_open(row)


def retry_ref(ref: str) -> str:
    """The ref of the retry: it follows from the first, so two hands at once make one retry."""
    return mint_ref(_Derived(ref))
