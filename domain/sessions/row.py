"""A session as it is reported: its record and what is known of its owner's life (S 1.5)."""

from tidings.domain.documents import without_empty
from tidings.domain.identity.owner import OwnerLiveness
from tidings.domain.instants import to_rfc3339
from tidings.domain.sessions.legacy import LegacySession
from tidings.domain.sessions.record import MalformedSession, ParsedRecord, SessionRecord
from tidings.ports.codec import Document
from tidings.ports.tokens import Verdict
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One line of a list. A malformed record's liveness is unknown, without any signal."""

    record: ParsedRecord
    liveness: OwnerLiveness

    @property
    def key(self) -> str:
        """The session key, or the stem of a malformed file's name."""
        return self.record.key

    @property
    def verdict(self) -> Verdict:
        """What is known of the owner."""
        return self.liveness.verdict

    @property
    def since_ns(self) -> int:
        """When it was registered; for a malformed file, when it was last changed."""
        match self.record:
            case SessionRecord() | LegacySession():
                return self.record.registered_at_ns
            case MalformedSession():
                return self.record.modified_at_ns

    def to_document(self) -> Document:
        """The row for scripts: the contract of S 1.5, and the key."""
        shared: Document = {"liveness": str(self.verdict), "path": self.record.path}
        match self.record:
            case SessionRecord():
                return {**_described(self.record), **shared}
            case LegacySession():
                return {**_legacy(self.record), **shared}
            case MalformedSession():
                return {**_undescribed(self.record), **shared}


def newest_first(row: SessionRow) -> tuple[int, bool, str]:
    """The order of lists: as instants, readable before malformed, ties by path (S 4.2)."""
    return (-row.since_ns, isinstance(row.record, MalformedSession), row.record.path)


def _described(record: SessionRecord) -> Document:
    socket = record.owner.socket
    return {
        "key": record.key,
        "session_pid": record.owner.birth.pid,
        "session_pid_source": record.owner_source,
        "session_pid_verified": record.owner_verified,
        "provider": str(record.provider),
        "agent": record.agent,
        "cwd": record.cwd,
        **without_empty(
            {
                "name": record.name,
                "session_id": record.session_id,
                "messaging_socket_path": socket.path if socket else "",
            }
        ),
        "registered_at": to_rfc3339(record.registered_at_ns),
    }


def _legacy(record: LegacySession) -> Document:
    return {
        "key": record.key,
        "session_pid": record.pid,
        "session_pid_source": record.source,
        "session_pid_verified": False,
        "agent": "",
        "cwd": record.cwd,
        "legacy": True,
        **without_empty({"messaging_socket_path": record.socket_path}),
        "registered_at": to_rfc3339(record.registered_at_ns),
    }


def _undescribed(record: MalformedSession) -> Document:
    return {
        "key": record.key,
        "session_pid": 0,
        "session_pid_verified": False,
        "agent": "",
        "cwd": "",
        "malformed": True,
        "why": record.why,
        "registered_at": to_rfc3339(record.modified_at_ns),
    }
