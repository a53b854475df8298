"""What ``push`` and ``notify`` share: one text to one session or to all, and how many it reached."""

import argparse
from collections.abc import Generator
from contextlib import contextmanager

from tidings.domain.messages.drafts import Draft
from tidings.domain.messages.limits import LONGEST_TTL_NS
from tidings.domain.messages.receipt import MessageView
from tidings.domain.messages.refs import mint_ref
from tidings.domain.messages.send_outcome import Receipt, Refused, SendOutcome
from tidings.domain.messages.wishes import Wishes
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.desk import Call
from tidings.entrypoints.cli.messages import (
    address_of,
    print_view,
    refusal_document,
    refusal_line,
    view_document,
)
from tidings.entrypoints.cli.output import tell_act, write_json, write_line
from tidings.entrypoints.cli.parsing import TARGET, VerbParser, parse_duration
from tidings.entrypoints.cli.receipts import LastKnown, told
from tidings.entrypoints.cli.sender import Sender
from tidings.entrypoints.cli.sending import OUTCOME_WAIT_SECONDS, draft_of, parse_key, ttl_of
from tidings.entrypoints.following import Milestone, follow_all
from tidings.ports.agents import ActivationRow
from tidings.ports.codec import Document
from tidings.ports.errors import TidingsError, UsageError
from tidings.ports.values import dataclass, replace

NO_RECEIVER = frozenset({"target-not-armed", "target-not-running"})
"""Refusals that make a session none of those that a text to all is for."""


def is_no_receiver(outcome: SendOutcome) -> bool:
    """Whether the session is none of those that a text to all is for: that is no failure."""
    return isinstance(outcome, Refused) and outcome.reason in NO_RECEIVER


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What is to be sent, by whom, and how the caller wants to be told of it."""

    sender: Sender
    text: str
    wishes: Wishes
    options: argparse.Namespace


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """What became of it. ``receivers`` counts the sessions for which it is stored under ``ref``;
    ``views`` are those of them that are in the store still."""

    ref: str
    kind: str
    receipts: tuple[Receipt, ...]
    refusals: tuple[Refused, ...]
    views: tuple[MessageView, ...]

    @property
    def receivers(self) -> int:
        """How many sessions it is stored for."""
        return len(self.receipts)

    @property
    def exit_code(self) -> int:
        """The highest code of its messages and refusals: 0 where nobody was there to hear it."""
        now = {view.row.ref: view.exit_code for view in self.views}
        messages = [now.get(receipt.ref, receipt.exit_code) for receipt in self.receipts]
        return max((*messages, *(refusal.exit_code for refusal in self.refusals)), default=0)


def target_options(parser: VerbParser) -> None:
    """The operand and the options that both verbs have."""
    parser.operand("TARGET", TARGET, nargs="?")
    parser.option("--all", dest="everybody")
    parser.option("--ttl", type=parse_duration)
    parser.option("--key", type=parse_key)
    parser.option("--ref")
    parser.option("--file")
    parser.option("--json")


def check_target(options: argparse.Namespace) -> None:
    """Raises ``UsageError`` for neither a session nor all, and for both; and for a time to live
    that no message has, which nobody would notice where nobody hears."""
    if options.everybody == (options.target is not None):
        raise UsageError(
            "name one session, or give --all",
            next_step="`tidings ls` lists them",
        )
    if ttl_of(options.ttl) > LONGEST_TTL_NS:
        raise UsageError("that is too long a time to live", next_step="7d is the longest")


@contextmanager
def counted() -> Generator[None]:
    """An error inside tells of its receivers: none, unless it knows better."""
    try:
        yield
    except TidingsError as error:
        error.facts.setdefault("receivers", 0)
        raise


def send_counted(call: Call, words: Words) -> int:
    """Sends, waits a moment for the outcomes, tells of them with the count; the exit code."""
    app, options = call.app, words.options
    ref = options.ref or mint_ref(app.ports.ids)
    with told(app, ref, as_json=options.json, known=_known):
        send = _send_to_all if options.everybody else _send_to_one
        reached = _reached(app, words, ref, send(call, words, ref))
        return _tell(app, reached, words)


def tell_refused(call: Call, words: Words, refusal: Refused) -> int:
    """Tells of a refusal before anything was looked up, in the shape of every other outcome."""
    ref = words.options.ref or mint_ref(call.app.ports.ids)
    return _tell(call.app, _reached(call.app, words, ref, (refusal,)), words)


def _send_to_one(call: Call, words: Words, ref: str) -> tuple[SendOutcome, ...]:
    target = call.app.target_of(words.options.target, ref=words.options.ref)
    return (call.app.post_office.send(replace(_draft(words, target), ref=ref)),)


def _send_to_all(call: Call, words: Words, ref: str) -> tuple[SendOutcome, ...]:
    outcomes = call.app.post_office.send_to_all(
        lambda target: _draft(words, target),
        call.app.audience(but=words.sender.agent_uid),
        ref=ref,
    )
    return tuple(one for one in outcomes if not is_no_receiver(one))


def _draft(words: Words, target: ActivationRow) -> Draft:
    return draft_of(
        words.sender,
        words.text,
        target=target,
        ttl_ns=ttl_of(words.options.ttl),
        wishes=words.wishes,
    )


def _reached(
    app: Application, words: Words, ref: str, outcomes: tuple[SendOutcome, ...]
) -> Reached:
    receipts = tuple(one for one in outcomes if isinstance(one, Receipt))
    stored = [one.ref for one in receipts if app.post_office.past(one.ref) is None]
    return Reached(
        ref=ref,
        kind=str(words.sender.kind),
        receipts=receipts,
        refusals=tuple(one for one in outcomes if isinstance(one, Refused)),
        views=follow_all(app, stored, Milestone.OUTCOME, seconds=OUTCOME_WAIT_SECONDS),
    )


def _tell(app: Application, reached: Reached, words: Words) -> int:
    everybody, as_json = words.options.everybody, words.options.json

    def show() -> None:
        if as_json:
            write_json(_document(reached))
            return
        if everybody and (reached.receipts or not reached.refusals):
            write_line(_head(reached))
        for view in reached.views:
            print_view(view, address=address_of(app, view.row.target_agent), app=app)
        for refusal in reached.refusals:
            write_line(refusal_line(refusal))

    done = f"{reached.ref}: {_receivers(reached.receivers)}"
    return tell_act(show, done=done, code=reached.exit_code, as_json=as_json)


def _document(reached: Reached) -> Document:
    return {
        "ref": reached.ref,
        "kind": reached.kind,
        "receivers": reached.receivers,
        "replayed": any(one.replayed for one in reached.receipts),
        "messages": [view_document(view) for view in reached.views],
        "refused": [refusal_document(one) for one in reached.refusals],
        "exit_code": reached.exit_code,
    }


def _head(reached: Reached) -> str:
    if not reached.receipts:
        nobody = f"no receivers: no living session is armed for this {reached.kind}"
        return f"{nobody}, and nothing was stored; `tidings ls` shows who hears what"
    return f"{reached.ref}  {reached.kind}  {_receivers(reached.receivers)}"


def _receivers(count: int) -> str:
    return "1 receiver" if count == 1 else f"{count} receivers"


def _count(app: Application, ref: str) -> int | None:
    try:
        return len(app.post_office.refs_under(ref))
    except TidingsError:
        return None


def _known(app: Application, ref: str) -> LastKnown:
    count = _count(app, ref)
    if count is None:
        words = f"whether anything was stored under {ref} is not known"
        step = f"the same words with `--ref {ref}` again send nothing twice"
    elif count:
        words = f"{ref} is stored for {_receivers(count)}"
        step = f"`tidings message thread {ref}` tells how it goes"
    else:
        words = step = ""
    return LastKnown(words, step, {"receivers": count})
