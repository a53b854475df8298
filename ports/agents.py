"""Agents, activations and registrations as rows (D1, D12; R 1)."""

from collections.abc import Sequence
from typing import Protocol

from tidings.ports.processes import Place, ProcessBirth
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRow:
    """A routable identity that lives on across relaunches."""

    agent_uid: str
    provider: str
    conversation_id: str
    created_at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationRow:
    """One run of an agent's process, from birth to end. ``conversation_id`` may change by /clear.

    ``address`` is unique among activations that have not ended. ``ended_at_ns`` is None while it
    is not known to have ended; that alone proves no life.
    """

    activation_id: str
    agent_uid: str
    session_key: str
    provider: str
    owner: ProcessBirth
    place: Place
    conversation_id: str
    address: str
    label: str
    cwd: str
    started_at_ns: int
    ended_at_ns: int | None
    end_reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationRow:
    """The lease a resident holds for one activation; ``generation`` is the compare-and-set token.

    ``ready`` is written in the same transaction that claims (R 3.2). ``resident`` None means that
    the lease was cleared; generation and conversation stay behind as residue (R 3.3).
    """

    activation_id: str
    generation: str
    conversation_id: str
    resident: ProcessBirth | None
    ready: bool
    client_version: str
    claimed_at_ns: int


class AgentTransaction(Protocol):
    """Reads and writes of agents inside one transaction. Writes replace the whole row by its key."""

    def agent(self, agent_uid: str) -> AgentRow | None: ...

    def agents_of_conversation(self, provider: str, conversation_id: str) -> Sequence[AgentRow]: ...

    def put_agent(self, row: AgentRow) -> None: ...

    def activation(self, activation_id: str) -> ActivationRow | None: ...

    def activation_of_session(self, session_key: str) -> ActivationRow | None:
        """The newest activation of that session key, ended or not."""
        ...

    def activations_of_agent(self, agent_uid: str) -> Sequence[ActivationRow]:
        """Newest first."""
        ...

    def open_at(self, address: str) -> Sequence[ActivationRow]:
        """The activations at ``address`` that are not marked as ended, the newest first."""
        ...

    def open_activations(self) -> Sequence[ActivationRow]:
        """All that are not marked as ended, oldest first."""
        ...

    def activations_at(self, address: str) -> Sequence[ActivationRow]:
        """All that are or were called ``address``, newest first, ended ones included."""
        ...

    def ended_activations(self, *, limit: int) -> Sequence[ActivationRow]:
        """Those that are marked as ended, the latest end first, at most ``limit``."""
        ...

    def put_activation(self, row: ActivationRow) -> None: ...

    def registration(self, activation_id: str) -> RegistrationRow | None: ...

    def put_registration(self, row: RegistrationRow) -> None: ...
