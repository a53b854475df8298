"""Who is calling: the nearest harness among the ancestors, not what a variable says (D4)."""

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from tidings.domain.identity.ancestry import lineage
from tidings.domain.identity.claim import PID_VARIABLES, SELF, PidClaim, claimed_pid
from tidings.domain.identity.keys import session_key
from tidings.domain.identity.owner_document import owner_in
from tidings.domain.identity.probe import OwnerProbe
from tidings.ports.presence import HarnessPresence, HarnessSighting
from tidings.ports.processes import ProcessBirth, Processes, ProcessSeen
from tidings.ports.sessions import RecordFact, RecordMalformed, RecordRead, SessionRecords
from tidings.ports.tokens import Verdict
from tidings.ports.values import dataclass

THREAD_VARIABLE = "CODEX_THREAD_ID"
"""What Codex gives its tool shells: one process hosts several conversations (H 5, D2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCaller:
    """A call from inside a harness. ``session_key`` None: it is not (readably) registered, so it
    has no source and arms nothing. ``ignored`` lists variables that named another process."""

    pid: int
    session_key: str | None
    sighting: HarnessSighting | None
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalCaller:
    """A call from a controlling terminal: evidence of a person, not proof (H 10)."""

    tty: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptCaller:
    """A call with neither a harness above it nor a terminal."""


Caller: TypeAlias = SessionCaller | TerminalCaller | ScriptCaller


class CallerDesk:
    """Finds the caller by walking up from this process."""

    def __init__(
        self,
        *,
        processes: Processes,
        presence: HarnessPresence,
        records: SessionRecords,
        probe: OwnerProbe,
    ) -> None:
        self._processes = processes
        self._presence = presence
        self._records = records
        self._probe = probe

    def who(self, environment: Mapping[str, str], tty: str) -> Caller:
        """The caller. ``tty`` is the controlling terminal's name, empty where there is none."""
        for ancestor in lineage(self._processes, self._processes.self_pid()):
            caller = self._harness_at(ancestor, environment)
            if caller is not None:
                return _with_ignored(caller, environment)
        return TerminalCaller(tty=tty) if tty else ScriptCaller()

    def claimed(self, environment: Mapping[str, str]) -> tuple[PidClaim, bool]:
        """What the variables claim (S 2.1), and whether it is this process or one above it.

        Only for ``session`` verbs called with no harness above them. Raises ``UsageError``.
        """
        claim = claimed_pid(environment, self_pid=self._processes.self_pid())
        above = lineage(self._processes, self._processes.self_pid())
        return claim, any(ancestor.birth.pid == claim.pid for ancestor in above)

    def _harness_at(
        self, ancestor: ProcessSeen, environment: Mapping[str, str]
    ) -> SessionCaller | None:
        pid = ancestor.birth.pid
        key, record = self._registered_at(ancestor, environment)
        sighting = self._sighting_of(ancestor)
        match record:
            case RecordRead() if sighting is None and not counts(record, pid, environment):
                return None
            case RecordRead():
                known = key if self._owns(record, ancestor) else None
                return SessionCaller(pid=pid, session_key=known, sighting=sighting)
            case RecordMalformed():
                return SessionCaller(pid=pid, session_key=None, sighting=sighting)
            case None if sighting is not None:
                return SessionCaller(pid=pid, session_key=None, sighting=sighting)
            case None:
                return None
            case _:
                assert_never(record)

    def _registered_at(
        self, ancestor: ProcessSeen, environment: Mapping[str, str]
    ) -> tuple[str, RecordFact | None]:
        """The variable only chooses among the conversations of a process that is proved to be
        above; one that names none of them is ignored."""
        thread_id = environment.get(THREAD_VARIABLE, "")
        key = self._key_of(ancestor, thread_id)
        record = self._records.read(key)
        if record is not None or not thread_id:
            return key, record
        key = self._key_of(ancestor, "")
        return key, self._records.read(key)

    def _key_of(self, ancestor: ProcessSeen, thread_id: str) -> str:
        place = self._processes.place()
        return session_key(
            pid=ancestor.birth.pid,
            machine_id=place.machine_id,
            pid_namespace=place.pid_namespace,
            start=ancestor.birth.start,
            thread_id=thread_id,
        )

    def _owns(self, record: RecordRead, ancestor: ProcessSeen) -> bool:
        owner = owner_in(record)
        if owner is None or owner.birth != ancestor.birth:
            return False
        return self._probe.alive_birth(owner.birth, owner.place) is Verdict.ALIVE

    def _sighting_of(self, ancestor: ProcessSeen) -> HarnessSighting | None:
        sighting = self._presence.at(ancestor.birth.pid)
        return sighting if sighting is not None and fits(sighting, ancestor.birth) else None


def counts(record: RecordRead, pid: int, environment: Mapping[str, str]) -> bool:
    """Whether a record makes its process a harness for this caller.

    One that was named by a variable counts only for callers that carry that variable still: every
    process has ancestors that are no harness (the first process, a multiplexer), and whoever
    registered one of those would otherwise be everybody (P1).
    """
    source = record.document.get("owner_source")
    if source not in (*PID_VARIABLES, SELF):
        return True
    return any(environment.get(variable) == str(pid) for variable in PID_VARIABLES)


def fits(sighting: HarnessSighting, birth: ProcessBirth) -> bool:
    """Whether a harness's own registry speaks of this process and not of an earlier one.

    Only Linux's ticks compare. A sighting without them fits: to take a harness for a person would
    grant more than to take a person for an unregistered harness.
    """
    if not sighting.start_ticks or not birth.start.startswith("linux:"):
        return True
    return birth.start.endswith(f":{sighting.start_ticks}")


def _with_ignored(caller: SessionCaller, environment: Mapping[str, str]) -> SessionCaller:
    ignored = tuple(v for v in PID_VARIABLES if environment.get(v, "") not in ("", str(caller.pid)))
    return SessionCaller(
        pid=caller.pid,
        session_key=caller.session_key,
        sighting=caller.sighting,
        ignored=ignored,
    )
