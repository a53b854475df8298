"""The roster of sessions on this machine (S 4.1 to 4.3)."""

from tidings.domain.identity.owner import NOT_LOOKED_AT, OwnerLiveness, SessionOwner
from tidings.domain.identity.probe import OwnerProbe
from tidings.domain.sessions.labels import LONGEST_LABEL
from tidings.domain.sessions.legacy import LegacySession
from tidings.domain.sessions.record import (
    MalformedSession,
    ParsedRecord,
    SessionRecord,
    parse_record,
)
from tidings.domain.sessions.row import SessionRow, newest_first
from tidings.ports.clock import Clock
from tidings.ports.codec import Document
from tidings.ports.errors import NotFound, OwnerUnprovable, UsageError
from tidings.ports.locks import Locks
from tidings.ports.sessions import RecordFact, RecordRead, SessionRecords
from tidings.ports.tokens import LockKind, Provider, Verdict
from tidings.ports.values import dataclass

REGISTRY_WAIT_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneReport:
    """What a prune took away. ``kept`` counts the records that stayed."""

    removed: tuple[SessionRow, ...]
    dead_removed: int
    unknown_removed: int
    kept: int


class Roster:
    """Registers, lists and prunes session records. Reads take no lock, writes the registry lock."""

    def __init__(
        self, *, records: SessionRecords, locks: Locks, clock: Clock, probe: OwnerProbe
    ) -> None:
        self._records = records
        self._locks = locks
        self._clock = clock
        self._probe = probe

    def register(
        self,
        owner: SessionOwner,
        *,
        provider: Provider,
        session_id: str,
        label: str,
        cwd: str,
        name: str,
        source: str = "ancestor",
        verified: bool = True,
    ) -> SessionRow:
        """Writes or refreshes the record of ``owner`` and prunes the dead under the same lock.

        ``name``, which the harness chose, is cut to 128 characters. Raises ``OwnerUnprovable`` for
        an owner that is proven dead, ``UsageError`` for what would not read back as a record (a
        text over 4 KiB, no folder), ``LockTimeout`` after 2 s, ``StateUnwritable``; then nothing is
        written.
        """
        if self._probe.judge(owner).verdict is Verdict.DEAD:
            raise OwnerUnprovable(f"process {owner.birth.pid} has ended; it cannot be registered")
        record = SessionRecord(
            key=owner.key,
            owner=owner,
            owner_source=source,
            owner_verified=verified,
            provider=provider,
            session_id=session_id,
            agent=label,
            name=name[:LONGEST_LABEL],
            cwd=cwd,
            registered_at_ns=self._clock.now().wall_ns,
            registrar_pid=self._probe.self_pid(),
        )
        document = record.to_document()
        _require_readable(record.key, document)
        with self._locks.hold(LockKind.REGISTRY, "", wait_seconds=REGISTRY_WAIT_SECONDS):
            self._records.write(record.key, document)
            self._prune_locked(older_than_ns=0)
        return self.show(record.key)

    def label_of(self, owner: SessionOwner) -> str:
        """The label that the living session of ``owner`` is registered under; empty for none.

        A record of another birth, or of an owner that is not proved alive, names nobody (S 2.2).
        """
        fact = self._records.read(owner.key)
        record = parse_record(fact) if fact is not None else None
        if not isinstance(record, SessionRecord) or record.owner.birth != owner.birth:
            return ""
        return record.agent if _liveness(record, self._probe).verdict is Verdict.ALIVE else ""

    def list(self) -> list[SessionRow]:
        """Every record with its owner's liveness, newest first; dead and malformed ones included."""
        probe = self._probe.for_one_list()
        rows = [_row(fact, probe) for fact in self._records.read_all()]
        return sorted(rows, key=newest_first)

    def show(self, key: str) -> SessionRow:
        """The record of ``key``. Raises ``NotFound``."""
        fact = self._records.read(key)
        if fact is None:
            raise NotFound(f"no session {key} is registered", next_step="`tidings ls` lists them")
        return _row(fact, self._probe)

    def prune(self, *, older_than_ns: int = 0) -> PruneReport:
        """Removes the records of owners that are proven dead, and with a bound also the unknown.

        ``older_than_ns`` above 0 allows the removal of unknown and malformed records that are
        strictly older than that. Raises ``LockTimeout`` after 2 s, ``StateUnwritable``.
        """
        with self._locks.hold(LockKind.REGISTRY, "", wait_seconds=REGISTRY_WAIT_SECONDS):
            return self._prune_locked(older_than_ns=older_than_ns)

    def _prune_locked(self, *, older_than_ns: int) -> PruneReport:
        before_ns = self._clock.now().wall_ns - older_than_ns if older_than_ns > 0 else None
        rows = self.list()
        removed = [row for row in rows if may_prune(row, before_ns) and self._removed(row)]
        dead = sum(row.verdict is Verdict.DEAD for row in removed)
        return PruneReport(
            removed=tuple(removed),
            dead_removed=dead,
            unknown_removed=len(removed) - dead,
            kept=len(rows) - len(removed),
        )

    def _removed(self, row: SessionRow) -> bool:
        """Looks again right before the unlink; an owner that proves alive saves its record."""
        fact = self._records.read(row.key)
        if fact is not None and _row(fact, self._probe).verdict is Verdict.ALIVE:
            return False
        self._records.remove(row.key)
        return True


def _require_readable(key: str, document: Document) -> None:
    """Our own parser has the first word on what we write: it will have the last."""
    parsed = parse_record(RecordRead(key=key, path="", modified_at_ns=0, document=document))
    if isinstance(parsed, MalformedSession):
        raise UsageError(
            f"not registered, it would not be readable: {parsed.why}",
            next_step="use shorter words, or a folder with a shorter path",
        )


def _row(fact: RecordFact, probe: OwnerProbe) -> SessionRow:
    record = parse_record(fact)
    return SessionRow(record=record, liveness=_liveness(record, probe))


def _liveness(record: ParsedRecord, probe: OwnerProbe) -> OwnerLiveness:
    match record:
        case SessionRecord():
            return probe.judge(record.owner)
        case LegacySession(pid=pid):
            return probe.judge_number(pid)
        case MalformedSession():
            return NOT_LOOKED_AT


def may_prune(row: SessionRow, before_ns: int | None) -> bool:
    """S 3.4: alive never, dead always, unknown only with a bound and strictly older than it."""
    match row.verdict:
        case Verdict.ALIVE:
            return False
        case Verdict.DEAD:
            return True
        case Verdict.UNKNOWN:
            return before_ns is not None and row.since_ns < before_ns
