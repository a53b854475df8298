"""What ``send``, ``ask`` and ``reply`` share: one message out, and what became of it."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

from tidings.domain.messages.drafts import Draft
from tidings.domain.messages.frame import Frame
from tidings.domain.messages.limits import DEFAULT_TTL_NS, SECOND_NS
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.receipt import MessageView, refused
from tidings.domain.messages.reply import ReplyFault
from tidings.domain.messages.reply_box import box_of, mint_token
from tidings.domain.messages.send_outcome import Refused, SendOutcome
from tidings.domain.messages.wishes import (
    NO_WISHES,
    When,
    Wishes,
    is_supersede_key,
    waiter_text,
)
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.desk import Call
from tidings.entrypoints.cli.messages import answer_text, print_refusal
from tidings.entrypoints.cli.receipts import told
from tidings.entrypoints.cli.sender import Sender
from tidings.entrypoints.following import Milestone, follow, reached
from tidings.ports.agents import ActivationRow
from tidings.ports.codec import Document
from tidings.ports.errors import LockTimeout, NotAllowed, StateUnreadable, UsageError
from tidings.ports.processes import ProcessBirth
from tidings.ports.values import dataclass, replace

OUTCOME_WAIT_SECONDS = 2.0
"""How long a sender waits for the target's resident (D15)."""

TIMEOUT_SECONDS = 600
"""How long is waited where no ``--timeout`` is given."""

STORE_WAIT_SECONDS = 2.0
"""How long an answer waits for the store; who answers can simply answer again (D30)."""

WAIT_ENDED = 6

Sending: TypeAlias = Callable[[str], SendOutcome]
"""Sends under the ref that it is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyBox:
    """A box minted for one message; its token is told to nobody but the caller."""

    token: str

    @property
    def name(self) -> str:
        """What is stored of it."""
        return box_of(self.token)


@dataclass(frozen=True, slots=True, kw_only=True)
class Out:
    """A message that is out. ``box`` is where its answer is kept, if one was minted for it."""

    view: MessageView
    box: ReplyBox | None


def box_for(call: Call, sender: Sender, *, wanted: bool) -> ReplyBox | None:
    """A new box where somebody who is no agent wants to be answered (D22)."""
    if not wanted or sender.source is not None:
        return None
    return ReplyBox(token=mint_token(call.app.ports.ids))


def send_out(
    call: Call,
    ref: str,
    send: Sending,
    *,
    wanted: Milestone,
    seconds: float,
    box: ReplyBox | None,
    as_json: bool,
    tell: Callable[[Out], int],
) -> int:
    """Sends under ``ref``, follows the message, and tells of it; the exit code.

    Whatever fails once the message may be stored, its ref is told.
    """
    with told(call.app, ref, as_json=as_json):
        outcome = send(ref)
        if isinstance(outcome, Refused):
            return print_refusal(outcome, as_json=as_json)
        view = follow(call.app, outcome.ref, wanted, seconds=seconds)
        return tell(Out(view=view, box=None if outcome.replayed else box))


def drafting(
    call: Call,
    sender: Sender,
    text: str,
    *,
    target: ActivationRow,
    ttl_ns: int = DEFAULT_TTL_NS,
    wishes: Wishes = NO_WISHES,
    allow_self: bool = False,
) -> Sending:
    """A message of its own."""
    draft = draft_of(
        sender, text, target=target, ttl_ns=ttl_ns, wishes=wishes, allow_self=allow_self
    )
    return lambda ref: call.app.post_office.send(replace(draft, ref=ref))


def draft_of(
    sender: Sender,
    text: str,
    *,
    target: ActivationRow,
    ttl_ns: int,
    wishes: Wishes = NO_WISHES,
    allow_self: bool = False,
) -> Draft:
    """What ``sender`` wants to send to ``target``, without a ref."""
    return Draft(
        source=sender.source,
        target=target,
        kind=sender.kind,
        text=text,
        proof=sender.proof,
        client=sender.client,
        place=sender.place,
        ttl_ns=ttl_ns,
        allow_self=allow_self,
        wishes=wishes,
    )


def ttl_of(seconds: int | None) -> int:
    """The life in nanoseconds that ``--ttl`` asks for."""
    return DEFAULT_TTL_NS if seconds is None else seconds * SECOND_NS


def parse_key(word: str) -> str:
    """A supersede key. Raises ``UsageError`` for another word."""
    if not is_supersede_key(word):
        raise UsageError(
            f"{word!r} is no key", next_step="use 1 to 64 plain letters, digits and ._:/-"
        )
    return word


def parse_moment(word: str) -> When:
    """The moment that ``--when`` names. Raises ``UsageError`` for another word."""
    if word not in tuple(When):
        raise UsageError(f"there is no moment {word!r}", next_step=f"one of {', '.join(When)}")
    return When(word)


def answering(
    call: Call, sender: Sender, text: str, *, original: str, target: str | None = None
) -> Sending:
    """An answer to the message ``original`` (whole or short), from the session that received it.

    ``target``, where it is given, must name the asker. Raises what looking them up raises.
    """
    replier = sender.source
    if replier is None:
        raise NotAllowed(
            "only the session that received a message can answer it",
            reason="source-not-yours",
            next_step="run this inside that session",
        )
    asked = call.app.post_office.view(original).row
    if target is not None and call.app.admission.resolve(target).agent_uid != asked.source_agent:
        return lambda _ref: refused(ReplyFault.CORRELATION)
    return lambda ref: call.app.post_office.answer(
        asked.ref,
        text,
        replier=replier,
        proof=sender.proof,
        place=sender.place,
        ref=ref,
        wait_seconds=STORE_WAIT_SECONDS,
    )


def exit_code(view: MessageView, wanted: Milestone) -> int:
    """The message's own, or 6 where what was waited for did not come."""
    if view.exit_code or wanted is Milestone.OUTCOME or reached(view, wanted):
        return view.exit_code
    return WAIT_ENDED


def take_answer(call: Call, out: Out) -> None:
    """Takes the answer that was just printed out of its box, or out of this session's queue, in
    which it waits for nobody else. It stays there if that fails."""
    answer_ref = out.view.row.answer_ref
    if answer_ref is None:
        return
    with suppress(StateUnreadable, LockTimeout):
        if out.box is not None:
            call.app.inbox.pull_box(out.box.token, _seen_already)
        elif out.view.envelope.wishes.awaited_by == waiter_text(own_birth(call.app)):
            run = call.app.post_office.view(answer_ref).row.target_activation
            call.app.inbox.claim(run, answer_ref)


def awaited_by(call: Call, sender: Sender, wanted: Milestone) -> str:
    """This process, where it waits for the answer to an agent's question and prints it."""
    if wanted is not Milestone.ANSWERED or sender.kind is not MessageKind.AGENT:
        return ""
    return waiter_text(own_birth(call.app))


def own_birth(app: Application) -> ProcessBirth:
    """This process, as the kernel knows it."""
    return app.probe.capture(app.probe.self_pid(), socket_path=None).birth


def box_document(out: Out, app: Application) -> Document:
    """What JSON adds where a box was minted: its token, and the answer if it came."""
    if out.box is None:
        return {}
    return {"reply_box": out.box.token, "answer": answer_text(out.view, app) or None}


def box_words(out: Out) -> str:
    """Where the answer will be kept, or empty."""
    if out.box is None or out.view.row.answer_ref is not None:
        return ""
    return f"`tidings inbox --box {out.box.token}` takes the answer"


def _seen_already(_frame: Frame) -> None:
    """The text stands on the screen."""
