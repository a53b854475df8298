"""Rows of the registry as people and scripts read them (S 1.5, 4.2)."""

from collections.abc import Sequence

from tidings.domain.identity.owner import OwnerLiveness
from tidings.domain.instants import to_rfc3339
from tidings.domain.sessions.legacy import LegacySession
from tidings.domain.sessions.record import MalformedSession, SessionRecord
from tidings.domain.sessions.row import SessionRow
from tidings.ports.codec import Document, Value

HEADER = ("AGENT", "PID", "STATE", "CWD", "REGISTERED")


def signal_rows(liveness: OwnerLiveness) -> list[Value]:
    """The evidence, a row per signal."""
    rows: list[Document] = [
        {"signal": one.name, "verdict": str(one.verdict), "evidence": one.evidence}
        for one in liveness.signals
    ]
    return [*rows]


def table_rows(rows: Sequence[SessionRow]) -> list[tuple[str, ...]]:
    """The cells of each row; ``-`` for what is not there."""
    return [
        (
            label_of(row) or "-",
            str(pid_of(row) or "-"),
            state_words(row),
            cwd_of(row) or "-",
            to_rfc3339(row.since_ns),
        )
        for row in rows
    ]


def state_words(row: SessionRow) -> str:
    """The verdict, and what keeps the row from being a plain one."""
    match row.record:
        case MalformedSession():
            return f"{row.verdict} (malformed)"
        case LegacySession():
            return f"{row.verdict} (legacy)"
        case SessionRecord(owner_verified=True):
            return str(row.verdict)
        case SessionRecord():
            return f"{row.verdict} (unverified pid)"


def label_of(row: SessionRow) -> str | None:
    """The declared label; None for a row that identifies nobody."""
    return row.record.agent if isinstance(row.record, SessionRecord) else None


def cwd_of(row: SessionRow) -> str:
    """The folder; empty for a malformed row."""
    return "" if isinstance(row.record, MalformedSession) else row.record.cwd


def pid_of(row: SessionRow) -> int:
    """The owner's pid; 0 for a malformed row."""
    match row.record:
        case SessionRecord() as record:
            return record.owner.birth.pid
        case LegacySession(pid=pid):
            return pid
        case MalformedSession():
            return 0
