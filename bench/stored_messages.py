"""Messages in a store: accepted one by one through the library, or put there by the thousand."""

from dataclasses import replace

from benchmark import CannotMeasure
from homes import Home
from tidings import Refused
from tidings.domain.messages.refs import conversation_ref_of, mint_ref
from tidings.entrypoints.embedding.member import Member
from tidings.ports.ids import Ids
from tidings.ports.messages import MessageRow, StoreTransaction

TEXT = "the orders endpoint changed: /v2/orders takes a currency now"


def accept(member: Member) -> str:
    """The ref of one accepted message. Raises ``CannotMeasure`` where it is refused."""
    outcome = member.send("target", TEXT)
    if isinstance(outcome, Refused):
        raise CannotMeasure(f"refused: {outcome.reason}")
    return outcome.ref


def answered_message(home: Home, me: Member, target: Member) -> MessageRow:
    """A message with its whole life behind it, as most stored ones are."""
    ref = accept(me)
    target.inbox()
    outcome = target.answer(ref, "thanks")
    if isinstance(outcome, Refused):
        raise CannotMeasure(f"the answer was refused: {outcome.reason}")
    me.inbox()
    row = home.app.ports.store.view(lambda tx: tx.message(ref))
    if row is None or row.answered_at_ns is None:
        raise CannotMeasure("the pattern message was not answered")
    return row


def fill(home: Home, pattern: MessageRow, count: int) -> None:
    """Stores ``count`` messages like ``pattern`` in one transaction, with their events."""
    ids = home.app.ports.ids
    events = home.app.ports.store.view(lambda tx: tx.events(pattern.ref))

    def work(tx: StoreTransaction) -> None:
        for _ in range(count):
            row = tx.insert_message(_like(pattern, ids))
            for event in events:
                tx.add_event(replace(event, ref=row.ref))

    home.app.ports.store.transact(work, wait_seconds=2.0)


def _like(pattern: MessageRow, ids: Ids) -> MessageRow:
    ref = mint_ref(ids)
    thread = conversation_ref_of(ref)
    named = {"messageRef": ref, "conversationRef": thread}
    return replace(
        pattern,
        seq=0,
        ref=ref,
        conversation_ref=thread,
        envelope={**pattern.envelope, **named},
    )
