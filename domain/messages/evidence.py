"""What is known after the write: written, seen, unseen, answered (D18, P12)."""

from collections.abc import Sequence
from enum import StrEnum

from tidings.domain.interaction.prompts import PromptSeen
from tidings.domain.messages.deadline import observed_at_ns, since_handoff_ns
from tidings.domain.messages.delivery import State
from tidings.domain.messages.limits import UNSEEN_AT_MOST_NS, UNSEEN_IDLE_NS
from tidings.domain.messages.qualification import note_trial_read
from tidings.ports.clock import Instant
from tidings.ports.messages import (
    EventRow,
    MessageRow,
    MessageTransaction,
    StoreTransaction,
)
from tidings.ports.tokens import TransportName
from tidings.ports.values import replace


class Evidence(StrEnum):
    """The strongest thing known beside the state."""

    NONE = "none"
    WRITTEN = "written"
    UNSEEN = "unseen"
    SEEN = "seen"
    ANSWERED = "answered"


def evidence_of(row: MessageRow) -> Evidence:
    """The strongest evidence the row carries. An answer proves more than a look."""
    if row.answered_at_ns is not None:
        return Evidence.ANSWERED
    if row.seen_at_ns is not None:
        return Evidence.SEEN
    if row.unseen_at_ns is not None:
        return Evidence.UNSEEN
    return Evidence.WRITTEN if row.state == State.DELIVERED else Evidence.NONE


def counts_for_pacing(row: MessageRow) -> bool:
    """A delivered frame that a harness may still drop in silence; a pulled message cannot be."""
    return evidence_of(row) is Evidence.WRITTEN and row.transport != TransportName.INBOX


def is_unseen(row: MessageRow, now: Instant, *, idle_ns: int) -> bool:
    """Whether a written frame was not taken up: idle for 30 s after the write, or 10 min (D18).

    ``idle_ns`` is how long the session has been idle without a break; 0 where that is not known.
    """
    since_ns = since_handoff_ns(row, now)
    return min(since_ns, idle_ns) >= UNSEEN_IDLE_NS or since_ns >= UNSEEN_AT_MOST_NS


def note_unseen(tx: MessageTransaction, target_agent: str, now: Instant, *, idle_ns: int) -> None:
    """Marks the frames of one target that were not taken up. Being seen later still counts."""
    for row in tx.unproved(target_agent):
        if counts_for_pacing(row) and is_unseen(row, now, idle_ns=idle_ns):
            at_ns = observed_at_ns(row, now)
            tx.update_message(replace(row, unseen_at_ns=at_ns))
            tx.add_event(EventRow(ref=row.ref, at_ns=at_ns, name="unseen", reason=""))


def note_prompts(
    tx: StoreTransaction, *, session_key: str, prompts: Sequence[PromptSeen], at_ns: int
) -> None:
    """Marks as seen what the harness says it gave its model.

    The digest of the frame proves it; a ref in a prompt only helps to find the row, because any
    text may name a ref. Rows still in hand-off and rows of unknown outcome count too.
    """
    activation = tx.activation_of_session(session_key)
    if activation is None or not prompts:
        return
    digests = {digest for prompt in prompts for digest in prompt.digests}
    for row in _candidates(tx, activation.agent_uid, prompts).values():
        if row.frame_sha256 in digests and row.seen_at_ns is None:
            seen_at_ns = max(at_ns, row.accepted_at_ns)
            tx.update_message(replace(row, seen_at_ns=seen_at_ns))
            tx.add_event(EventRow(ref=row.ref, at_ns=seen_at_ns, name="seen", reason=""))
            note_trial_read(tx, activation, row.ref)


def _candidates(
    tx: MessageTransaction, agent_uid: str, prompts: Sequence[PromptSeen]
) -> dict[str, MessageRow]:
    named = [tx.message(ref) for prompt in prompts for ref in prompt.refs]
    rows = [row for row in named if row is not None and row.target_agent == agent_uid]
    return {row.ref: row for row in (*rows, *tx.marked(agent_uid), *tx.unproved(agent_uid))}
