"""Agents, activations, registrations and interactions as SQL rows."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from tidings.adapters.sqlite.cells import Cell, Cells
from tidings.adapters.sqlite.statements import Statements
from tidings.ports.agents import ActivationRow, AgentRow, RegistrationRow
from tidings.ports.errors import StoreMalformed
from tidings.ports.interactions import InteractionRow
from tidings.ports.processes import Place, ProcessBirth
from tidings.ports.trials import TrialEnd, TrialRow

_AGENT = ("agent_uid", "provider", "conversation_id", "created_at_ns")
_ACTIVATION = (
    *("activation_id", "agent_uid", "session_key", "provider"),
    *("owner_pid", "owner_uid", "owner_start"),
    *("machine_id", "host", "boot_id", "pid_namespace", "mount_namespace"),
    *("initial_pid_namespace", "state_is_local"),
    *("conversation_id", "address", "label", "cwd"),
    *("started_at_ns", "ended_at_ns", "end_reason"),
)
_REGISTRATION = (
    *("activation_id", "generation", "conversation_id"),
    *("resident_pid", "resident_uid", "resident_start"),
    *("ready", "client_version", "claimed_at_ns"),
)
_INTERACTION = ("session_key", "state", "spool_offset")
_TRIAL = ("client", "ref", "outcome")
_ENDS = frozenset({"", *TrialEnd})
_NEWEST = "ORDER BY started_at_ns DESC, rowid DESC"


class AgentRows:
    """The agents' half of a transaction. Replacing a row keeps its place (its rowid)."""

    def __init__(self, statements: Statements) -> None:
        self._sql = statements

    def agent(self, agent_uid: str) -> AgentRow | None:
        return next(self._agents("agent_uid = ?", agent_uid), None)

    def agents_of_conversation(self, provider: str, conversation_id: str) -> Sequence[AgentRow]:
        where = "provider = ? AND conversation_id = ? ORDER BY rowid"
        return list(self._agents(where, provider, conversation_id))

    def put_agent(self, row: AgentRow) -> None:
        cells = (row.agent_uid, row.provider, row.conversation_id, row.created_at_ns)
        self._sql.upsert("agents", _AGENT, cells)

    def activation(self, activation_id: str) -> ActivationRow | None:
        return next(self._activations("activation_id = ?", activation_id), None)

    def activation_of_session(self, session_key: str) -> ActivationRow | None:
        return next(self._activations(f"session_key = ? {_NEWEST} LIMIT 1", session_key), None)

    def activations_of_agent(self, agent_uid: str) -> Sequence[ActivationRow]:
        return list(self._activations(f"agent_uid = ? {_NEWEST}", agent_uid))

    def activations_at(self, address: str) -> Sequence[ActivationRow]:
        return list(self._activations(f"address = ? {_NEWEST}", address))

    def open_at(self, address: str) -> Sequence[ActivationRow]:
        return list(self._activations(f"address = ? AND ended_at_ns IS NULL {_NEWEST}", address))

    def open_activations(self) -> Sequence[ActivationRow]:
        return list(self._activations("ended_at_ns IS NULL ORDER BY started_at_ns, rowid"))

    def ended_activations(self, *, limit: int) -> Sequence[ActivationRow]:
        where = "ended_at_ns IS NOT NULL ORDER BY ended_at_ns DESC, rowid DESC LIMIT ?"
        return list(self._activations(where, limit))

    def put_activation(self, row: ActivationRow) -> None:
        self._sql.upsert("activations", _ACTIVATION, _activation_cells(row))

    def registration(self, activation_id: str) -> RegistrationRow | None:
        sql = f"SELECT {', '.join(_REGISTRATION)} FROM registrations WHERE activation_id = ?"
        return next((_registration(cells) for cells in self._sql.rows(sql, activation_id)), None)

    def put_registration(self, row: RegistrationRow) -> None:
        self._sql.upsert("registrations", _REGISTRATION, _registration_cells(row))

    def interaction(self, session_key: str) -> InteractionRow | None:
        sql = f"SELECT {', '.join(_INTERACTION)} FROM interactions WHERE session_key = ?"
        return next((_interaction(cells) for cells in self._sql.rows(sql, session_key)), None)

    def put_interaction(self, row: InteractionRow) -> None:
        state = self._sql.codec.encode(row.state).decode()
        self._sql.upsert("interactions", _INTERACTION, (row.session_key, state, row.spool_offset))

    def trial(self, client: str) -> TrialRow | None:
        sql = f"SELECT {', '.join(_TRIAL)} FROM trials WHERE client = ?"
        return next((_trial(cells) for cells in self._sql.rows(sql, client)), None)

    def put_trial(self, row: TrialRow) -> None:
        self._sql.upsert("trials", _TRIAL, (row.client, row.ref, str(row.end)))

    def _agents(self, where: str, *values: Cell) -> Iterator[AgentRow]:
        sql = f"SELECT {', '.join(_AGENT)} FROM agents WHERE {where}"
        return (_agent(cells) for cells in self._sql.rows(sql, *values))

    def _activations(self, where: str, *values: Cell) -> Iterator[ActivationRow]:
        sql = f"SELECT {', '.join(_ACTIVATION)} FROM activations WHERE {where}"
        return (_activation(*cells.cells) for cells in self._sql.rows(sql, *values))


def _agent(cells: Cells) -> AgentRow:
    return AgentRow(
        agent_uid=cells.text(),
        provider=cells.text(),
        conversation_id=cells.text(),
        created_at_ns=cells.integer(),
    )


def _trial(cells: Cells) -> TrialRow:
    row = TrialRow(client=cells.text(), ref=cells.text(), end=cells.text())
    if row.end not in _ENDS:
        raise StoreMalformed(f"the trial of {row.client[:40]} has an end that is none")
    return row


@lru_cache(maxsize=64, typed=True)
def _activation(*row: Cell) -> ActivationRow:
    """The same cells, each of the same type, are the same value: it is judged once."""
    cells = Cells(cells=row, codec=None)
    return ActivationRow(
        activation_id=cells.text(),
        agent_uid=cells.text(),
        session_key=cells.text(),
        provider=cells.text(),
        owner=ProcessBirth(pid=cells.integer(), uid=cells.integer(), start=cells.text()),
        place=_place(cells),
        conversation_id=cells.text(),
        address=cells.text(),
        label=cells.text(),
        cwd=cells.text(),
        started_at_ns=cells.integer(),
        ended_at_ns=cells.maybe_integer(),
        end_reason=cells.text(),
    )


def _place(cells: Cells) -> Place:
    return Place(
        machine_id=cells.text(),
        host=cells.text(),
        boot_id=cells.text(),
        pid_namespace=cells.text(),
        mount_namespace=cells.text(),
        initial_pid_namespace=cells.flag(),
        state_is_local=cells.flag(),
    )


def _activation_cells(row: ActivationRow) -> tuple[Cell, ...]:
    owner, place = row.owner, row.place
    return (
        *(row.activation_id, row.agent_uid, row.session_key, row.provider),
        *(owner.pid, owner.uid, owner.start),
        *(place.machine_id, place.host, place.boot_id, place.pid_namespace),
        *(place.mount_namespace, int(place.initial_pid_namespace), int(place.state_is_local)),
        *(row.conversation_id, row.address, row.label, row.cwd),
        *(row.started_at_ns, row.ended_at_ns, row.end_reason),
    )


def _registration(cells: Cells) -> RegistrationRow:
    return RegistrationRow(
        activation_id=cells.text(),
        generation=cells.text(),
        conversation_id=cells.text(),
        resident=_resident(cells.maybe_integer(), cells.maybe_integer(), cells.maybe_text()),
        ready=cells.flag(),
        client_version=cells.text(),
        claimed_at_ns=cells.integer(),
    )


def _resident(pid: int | None, uid: int | None, start: str | None) -> ProcessBirth | None:
    """All three or none: half a resident could not be told from a forged one."""
    if pid is None and uid is None and start is None:
        return None
    if pid is None or uid is None or start is None:
        raise StoreMalformed("a stored registration names half a resident")
    return ProcessBirth(pid=pid, uid=uid, start=start)


def _registration_cells(row: RegistrationRow) -> tuple[Cell, ...]:
    resident = row.resident
    return (
        *(row.activation_id, row.generation, row.conversation_id),
        None if resident is None else resident.pid,
        None if resident is None else resident.uid,
        None if resident is None else resident.start,
        *(int(row.ready), row.client_version, row.claimed_at_ns),
    )


def _interaction(cells: Cells) -> InteractionRow:
    return InteractionRow(
        session_key=cells.text(), state=cells.document(), spool_offset=cells.integer()
    )
