"""Which agent a living process is, and by what address it is called (D1, D5)."""

from collections.abc import Mapping, Sequence

from tidings.domain.identity.addresses import choose_address
from tidings.domain.identity.owner import SessionOwner
from tidings.ports.agents import ActivationRow, AgentRow
from tidings.ports.messages import StoreTransaction
from tidings.ports.tokens import Provider, Verdict
from tidings.ports.values import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A proved process that wants to be an agent. ``wanted`` are address ideas, best first.

    ``agent_uid`` and ``activation_id`` are fresh ids, used only if the arrival turns out to be new.
    """

    owner: SessionOwner
    provider: Provider
    conversation_id: str
    label: str
    cwd: str
    wanted: Sequence[str]
    agent_uid: str
    activation_id: str
    now_ns: int


def welcome(
    tx: StoreTransaction, arrival: Arrival, *, verdicts: Mapping[str, Verdict]
) -> ActivationRow:
    """Finds or makes the arrival's activation, inside one transaction.

    ``verdicts`` holds, by activation id, what the liveness function said before the transaction;
    an activation that is not proven dead there keeps its agent and its address.
    """
    current = tx.activation_of_session(arrival.owner.key)
    if current is not None and current.ended_at_ns is None and _same_process(current, arrival):
        return follow_conversation(tx, current, arrival.conversation_id)
    _end_the_dead(tx, verdicts, now_ns=arrival.now_ns)
    row = _new_activation(tx, arrival)
    tx.put_activation(row)
    return row


def _same_process(current: ActivationRow, arrival: Arrival) -> bool:
    return current.owner == arrival.owner.birth


def follow_conversation(
    tx: StoreTransaction, current: ActivationRow, conversation_id: str
) -> ActivationRow:
    """``/clear`` keeps agent and activation and changes the conversation (D1)."""
    if not conversation_id or current.conversation_id == conversation_id:
        return current
    row = with_conversation(current, conversation_id)
    tx.put_activation(row)
    agent = tx.agent(row.agent_uid)
    if agent is not None:
        tx.put_agent(replace(agent, conversation_id=conversation_id))
    return row


def with_conversation(row: ActivationRow, conversation_id: str) -> ActivationRow:
    """The same activation in another conversation."""
    return replace(row, conversation_id=conversation_id)


def with_end(row: ActivationRow, *, now_ns: int, reason: str) -> ActivationRow:
    """The activation, marked as ended."""
    return replace(row, ended_at_ns=now_ns, end_reason=reason)


def _end_the_dead(tx: StoreTransaction, verdicts: Mapping[str, Verdict], *, now_ns: int) -> None:
    for row in tx.open_activations():
        if verdicts.get(row.activation_id) is Verdict.DEAD:
            tx.put_activation(with_end(row, now_ns=now_ns, reason="process-gone"))


def _new_activation(tx: StoreTransaction, arrival: Arrival) -> ActivationRow:
    agent_uid = _agent_for(tx, arrival)
    taken = {row.address for row in tx.open_activations()}
    return ActivationRow(
        activation_id=arrival.activation_id,
        agent_uid=agent_uid,
        session_key=arrival.owner.key,
        provider=arrival.provider,
        owner=arrival.owner.birth,
        place=arrival.owner.place,
        conversation_id=arrival.conversation_id,
        address=choose_address(arrival.wanted, taken),
        label=arrival.label,
        cwd=arrival.cwd,
        started_at_ns=arrival.now_ns,
        ended_at_ns=None,
        end_reason="",
    )


def _agent_for(tx: StoreTransaction, arrival: Arrival) -> str:
    """A resumed conversation finds its agent, unless a process of it is not proven dead (D1)."""
    if arrival.conversation_id:
        for agent in tx.agents_of_conversation(arrival.provider, arrival.conversation_id):
            rows = tx.activations_of_agent(agent.agent_uid)
            if all(row.ended_at_ns is not None for row in rows):
                return agent.agent_uid
    tx.put_agent(
        AgentRow(
            agent_uid=arrival.agent_uid,
            provider=arrival.provider,
            conversation_id=arrival.conversation_id,
            created_at_ns=arrival.now_ns,
        )
    )
    return arrival.agent_uid
