"""The messages of a fan-out: their refs follow from the common one and their agents (D34)."""

from typing import Final

from tidings.ports.history import HistoryRow
from tidings.ports.messages import MessageRow, StoreTransaction

MOST_TARGETS: Final = 1_000


def member_ref(ref: str, agent_uid: str) -> str:
    """The ref of the message to one of them."""
    return f"{ref}/{agent_uid}"


def members(tx: StoreTransaction, ref: str) -> tuple[MessageRow | HistoryRow, ...]:
    """What the fan-out ``ref`` reached, what left the store first; empty where there was none.

    A message whose ref only begins alike, since somebody gave it one with a slash, is none of them.
    """
    prefix = f"{ref}/"
    left = map(tx.history, tx.history_refs(prefix, limit=MOST_TARGETS))
    rows = map(tx.message, tx.refs_with_prefix(prefix, limit=MOST_TARGETS))
    return tuple(
        row for row in (*left, *rows) if row is not None and row.ref == member_ref(ref, _agent(row))
    )


def _agent(row: MessageRow | HistoryRow) -> str:
    if isinstance(row, MessageRow):
        return row.target_agent
    target = row.line.get("target")
    return str(target.get("agentUID")) if isinstance(target, dict) else ""
