"""Processes that wait for an answer and print it, so that nobody else has to bring it (D15)."""

from collections.abc import Mapping

from tidings.domain.messages.envelope_document import parse_envelope
from tidings.domain.messages.limits import QUEUE_WINDOW
from tidings.domain.messages.wishes import waiter_of
from tidings.ports.messages import MessageTransaction
from tidings.ports.processes import ProcessBirth


def waiters_of(tx: MessageTransaction, agent_uid: str) -> Mapping[str, ProcessBirth]:
    """Who asked what is answered at the front of the agent's queue, by the question's ref. Whether
    such a process still lives is another question."""
    asked = {row.reply_to for row in tx.queue(agent_uid, limit=QUEUE_WINDOW) if row.reply_to}
    questions = (tx.message(ref) for ref in asked)
    named = {
        row.ref: waiter_of(parse_envelope(row.envelope).wishes.awaited_by)
        for row in questions
        if row is not None
    }
    return {ref: process for ref, process in named.items() if process is not None}
