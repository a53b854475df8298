"""What the library gives back: plain values that hold nothing open."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tidings.ports.values import dataclass

if TYPE_CHECKING:
    from tidings.domain.messages.frame import Frame
    from tidings.domain.messages.receipt import MessageView
    from tidings.entrypoints.application import Application
    from tidings.ports.history import HistoryRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One living session: its address, and what is known of it now.

    ``liveness`` is ``alive``, ``dead`` or ``unknown``; ``consent`` is the arm word; ``reachable``
    means that its resident is registered and proved alive.
    """

    address: str
    agent_uid: str
    provider: str
    pid: int
    cwd: str
    liveness: str
    consent: str
    reachable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxMessage:
    """A message that was pulled: whole, with the sender as it was proved.

    ``sender`` is the address of an agent, else the kind of origin. ``proof`` names what Tidings
    saw of the sender; it claims no more.
    """

    ref: str
    sender: str
    proof: str
    text: str
    reply_to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a message stands. ``reached`` says whether the wait got what it waited for.

    ``answer`` is the answer's text, or None; it leaves the store with its message. A timeout is this value with ``reached`` false.
    """

    ref: str
    reached: bool
    state: str
    evidence: str
    reason: str
    text: str
    next_step: str
    answer: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """An export of history as it was read: one line a message, by its ref, in the order of leaving.

    ``lines`` have the keys of the export, such as ``messageRef``, ``state``, ``deliveryReason`` and
    ``evictedAt``; a file of another version may lack some. ``skipped`` counts what did not read.
    """

    lines: Sequence[Mapping[str, object]]
    skipped: int


def progress_of(app: "Application", view: "MessageView", *, reached: bool) -> Progress:
    answer = view.row.answer_ref
    return Progress(
        ref=view.row.ref,
        reached=reached,
        state=str(view.state),
        evidence=str(view.evidence),
        reason=view.row.reason,
        text=view.text,
        next_step=view.next_step,
        answer=None if answer is None else app.post_office.text_of(answer),
    )


def past_progress(past: "HistoryRow", *, reached: bool) -> Progress:
    from tidings.domain.messages.past import receipt_of_past

    receipt = receipt_of_past(past)
    return Progress(
        ref=receipt.ref,
        reached=reached,
        state=str(receipt.state),
        evidence=str(receipt.evidence),
        reason=receipt.reason,
        text=receipt.text,
        next_step=receipt.next_step,
        answer=None,
    )


def inbox_message(frame: "Frame") -> InboxMessage:
    return InboxMessage(
        ref=frame.message_ref,
        sender=frame.address or str(frame.kind),
        proof=str(frame.proof),
        text=frame.shown,
        reply_to=frame.reply_to,
    )
