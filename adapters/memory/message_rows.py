"""The rows of the store in memory, and a transaction over them."""

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from tidings.ports.agents import ActivationRow, AgentRow, RegistrationRow
from tidings.ports.clock import Instant
from tidings.ports.history import HistoryRow, Housekeeping
from tidings.ports.interactions import InteractionRow
from tidings.ports.messages import EventRow, MessageRow, NumberedEvent
from tidings.ports.trials import TrialRow

NEVER_TIDIED = Housekeeping(last_seq=0, room_until_seq=0, tidied_at_ns=0)
_SENT_IN_VAIN = frozenset({"refused", "failed", "expired", "stale"})


@dataclass(slots=True)
class StoredRows:
    """Everything that is stored. Rows are frozen, so a copy shares them and differs by its tables."""

    agents: dict[str, AgentRow] = field(default_factory=dict[str, AgentRow])
    activations: dict[str, ActivationRow] = field(default_factory=dict[str, ActivationRow])
    registrations: dict[str, RegistrationRow] = field(default_factory=dict[str, RegistrationRow])
    interactions: dict[str, InteractionRow] = field(default_factory=dict[str, InteractionRow])
    messages: dict[str, MessageRow] = field(default_factory=dict[str, MessageRow])
    events: tuple[EventRow, ...] = ()
    last_seq: int = 0
    history: dict[str, HistoryRow] = field(default_factory=dict[str, HistoryRow])
    last_number: int = 0
    housekeeping: Housekeeping = NEVER_TIDIED
    trials: dict[str, TrialRow] = field(default_factory=dict[str, TrialRow])

    def copied(self) -> "StoredRows":
        """A draft that can be thrown away."""
        return StoredRows(
            agents=dict(self.agents),
            activations=dict(self.activations),
            registrations=dict(self.registrations),
            interactions=dict(self.interactions),
            messages=dict(self.messages),
            events=self.events,
            last_seq=self.last_seq,
            history=dict(self.history),
            last_number=self.last_number,
            housekeeping=self.housekeeping,
            trials=dict(self.trials),
        )


class MemoryMessages:
    """Reads and writes of one transaction, but for history. Documents go in and out as copies, as through a file."""

    def __init__(self, rows: StoredRows, *, writable: bool) -> None:
        self._rows = rows
        self._writable = writable

    def trial(self, client: str) -> TrialRow | None:
        return self._rows.trials.get(client)

    def put_trial(self, row: TrialRow) -> None:
        self._writing().trials[row.client] = row

    def agent(self, agent_uid: str) -> AgentRow | None:
        return self._rows.agents.get(agent_uid)

    def agents_of_conversation(self, provider: str, conversation_id: str) -> Sequence[AgentRow]:
        wanted = (provider, conversation_id)
        found = self._rows.agents.values()
        return [row for row in found if (row.provider, row.conversation_id) == wanted]

    def put_agent(self, row: AgentRow) -> None:
        self._writing().agents[row.agent_uid] = row

    def activation(self, activation_id: str) -> ActivationRow | None:
        return self._rows.activations.get(activation_id)

    def activation_of_session(self, session_key: str) -> ActivationRow | None:
        found = self._newest(lambda row: row.session_key == session_key)
        return found[0] if found else None

    def activations_of_agent(self, agent_uid: str) -> Sequence[ActivationRow]:
        return self._newest(lambda row: row.agent_uid == agent_uid)

    def activations_at(self, address: str) -> Sequence[ActivationRow]:
        return self._newest(lambda row: row.address == address)

    def open_at(self, address: str) -> Sequence[ActivationRow]:
        return self._newest(lambda row: row.address == address and row.ended_at_ns is None)

    def open_activations(self) -> Sequence[ActivationRow]:
        return self._newest(lambda row: row.ended_at_ns is None)[::-1]

    def ended_activations(self, *, limit: int) -> Sequence[ActivationRow]:
        ended = self._newest(lambda row: row.ended_at_ns is not None)
        return sorted(ended, key=lambda row: -(row.ended_at_ns or 0))[:limit]

    def put_activation(self, row: ActivationRow) -> None:
        self._writing().activations[row.activation_id] = row

    def registration(self, activation_id: str) -> RegistrationRow | None:
        return self._rows.registrations.get(activation_id)

    def put_registration(self, row: RegistrationRow) -> None:
        self._writing().registrations[row.activation_id] = row

    def interaction(self, session_key: str) -> InteractionRow | None:
        row = self._rows.interactions.get(session_key)
        return None if row is None else replace(row, state=deepcopy(row.state))

    def put_interaction(self, row: InteractionRow) -> None:
        self._writing().interactions[row.session_key] = replace(row, state=deepcopy(row.state))

    def message(self, ref: str) -> MessageRow | None:
        row = self._rows.messages.get(ref)
        return None if row is None else _copied(row)

    def refs_with_prefix(self, prefix: str, *, limit: int) -> Sequence[str]:
        return [ref for ref in self._rows.messages if ref.startswith(prefix)][:limit]

    def neighbours(self, ref: str) -> Sequence[str]:
        before = max((one for one in self._rows.messages if one < ref), default=None)
        after = min((one for one in self._rows.messages if one > ref), default=None)
        return [one for one in (before, after) if one is not None]

    def insert_message(self, row: MessageRow, *, events: Sequence[EventRow] = ()) -> MessageRow:
        if row.seq != 0:
            raise ValueError("a new message has no number yet")
        if row.ref in self._writing().messages:
            raise ValueError(f"the message {row.ref} is there already")
        self._rows.last_seq += 1
        stored = replace(_copied(row), seq=self._rows.last_seq)
        self._rows.messages[row.ref] = stored
        for event in events:
            self.add_event(event)
        return _copied(stored)

    def update_message(self, row: MessageRow) -> None:
        before = self._writing().messages.get(row.ref)
        if before is None:
            raise ValueError(f"the message {row.ref} is not stored")
        self._rows.messages[row.ref] = replace(
            before,
            state=row.state,
            reason=row.reason,
            outcome_unknown=row.outcome_unknown,
            terminal_at_ns=row.terminal_at_ns,
            transport=row.transport,
            writer_generation=row.writer_generation,
            handoff_at_ns=row.handoff_at_ns,
            frame_sha256=row.frame_sha256,
            seen_at_ns=row.seen_at_ns,
            unseen_at_ns=row.unseen_at_ns,
            answered_at_ns=row.answered_at_ns,
            answer_ref=row.answer_ref,
        )

    def queue(
        self, target_agent: str, *, limit: int | None = None, but_kind: str = ""
    ) -> Sequence[MessageRow]:
        waiting = self._where(lambda row: _is_open_for(row, target_agent) and not _is_marked(row))
        return [row for row in waiting if not but_kind or row.kind != but_kind][:limit]

    def perhaps_over(
        self, target_agent: str, activation_id: str, *, now: Instant, limit: int
    ) -> Sequence[MessageRow]:
        def is_for_other(row: MessageRow) -> bool:
            return row.target_activation != activation_id

        front = self.queue(target_agent, limit=limit)
        waiting = [row for row in front if is_for_other(row) or perhaps_past(row, now)]
        marked = [row for row in self.marked(target_agent) if is_for_other(row)]
        return sorted([*waiting, *marked], key=lambda row: row.seq)

    def marked(self, target_agent: str) -> Sequence[MessageRow]:
        return self._where(lambda row: _is_open_for(row, target_agent) and _is_marked(row))

    def unproved(self, target_agent: str) -> Sequence[MessageRow]:
        return self._where(
            lambda row: (
                _is_unanswered(row, target_agent)
                and row.seen_at_ns is None
                and row.unseen_at_ns is None
            )
        )

    def replies(self, ref: str) -> Sequence[MessageRow]:
        return self._where(lambda row: row.reply_to == ref)

    def waiting_for_answer(self, source_agent: str) -> Sequence[MessageRow]:
        return self._where(
            lambda row: (
                row.source_agent == source_agent
                and row.answered_at_ns is None
                and row.state not in _SENT_IN_VAIN
            )
        )

    def awaiting_reply_from(self, target_agent: str) -> Sequence[MessageRow]:
        return self._where(lambda row: _is_unanswered(row, target_agent))

    def waiting_with_key(self, target_agent: str, supersede_key: str) -> Sequence[MessageRow]:
        return [row for row in self.queue(target_agent) if row.supersede_key == supersede_key]

    def latest_of_pair(
        self, source_agent: str, target_agent: str, *, skip: int
    ) -> MessageRow | None:
        pair = (source_agent, target_agent)
        rows = self._where(lambda row: (row.source_agent, row.target_agent) == pair)
        return rows[-1 - skip] if skip < len(rows) else None

    def recent(self, *, after_seq: int, limit: int) -> Sequence[MessageRow]:
        return self._where(lambda row: row.seq > after_seq)[:limit]

    def add_event(self, row: EventRow) -> None:
        self._writing().events += (row,)

    def events(self, ref: str) -> Sequence[EventRow]:
        return [row for row in self._rows.events if row.ref == ref]

    def newest(self, *, before_seq: int | None, limit: int) -> Sequence[MessageRow]:
        rows = self._where(lambda row: before_seq is None or row.seq < before_seq)
        return rows[::-1][:limit]

    def open_targets(self) -> Sequence[str]:
        return sorted({row.target_agent for row in self._all() if row.terminal_at_ns is None})

    def latest_events(self, *, limit: int) -> Sequence[NumberedEvent]:
        return self._numbered()[-limit:] if limit else []

    def events_after(self, number: int, *, limit: int) -> Sequence[NumberedEvent]:
        return self._numbered()[number:][:limit]

    def _numbered(self) -> Sequence[NumberedEvent]:
        return [NumberedEvent(number=n, event=row) for n, row in enumerate(self._rows.events, 1)]

    def _newest(self, wanted: Callable[[ActivationRow], bool]) -> list[ActivationRow]:
        """By start, then by order of insertion; the newest first."""
        found = [row for row in self._rows.activations.values() if wanted(row)]
        return sorted(found, key=lambda row: row.started_at_ns)[::-1]

    def _where(self, wanted: Callable[[MessageRow], bool]) -> list[MessageRow]:
        """In order of acceptance: rows are stored in that order and keep their place."""
        return [_copied(row) for row in self._all() if wanted(row)]

    def _all(self) -> Iterable[MessageRow]:
        return self._rows.messages.values()

    def _writing(self) -> StoredRows:
        if not self._writable:
            raise RuntimeError("a view was asked to write")
        return self._rows


def _copied(row: MessageRow) -> MessageRow:
    return replace(row, envelope=deepcopy(row.envelope))


def perhaps_past(row: MessageRow, now: Instant) -> bool:
    """Whether the deadline is over by either clock."""
    past_in_boot = row.accepted_boottime_ns + row.ttl_ns <= now.boottime_ns
    past_by_wall = row.accepted_at_ns + row.ttl_ns <= now.wall_ns
    return past_by_wall or (row.boot_id == now.boot_id and past_in_boot)


def _is_marked(row: MessageRow) -> bool:
    return row.handoff_at_ns is not None


def _is_open_for(row: MessageRow, target_agent: str) -> bool:
    return row.target_agent == target_agent and row.terminal_at_ns is None


def _is_unanswered(row: MessageRow, target_agent: str) -> bool:
    delivered = row.target_agent == target_agent and row.state == "delivered"
    return delivered and row.answered_at_ns is None
