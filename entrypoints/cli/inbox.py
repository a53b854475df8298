"""``tidings inbox``: pulls what waits for the session around the call, or in a script's reply box."""

import argparse
from collections.abc import Callable, Sequence
from typing import TypeAlias

from tidings.domain.instants import to_rfc3339
from tidings.domain.messages.frame import Frame
from tidings.domain.messages.frame_text import frame_text
from tidings.domain.messages.outcomes import Delivered, Held, LeaseLost, Settled, StepOutcome
from tidings.domain.messages.reasons import entry_of
from tidings.domain.messages.reply_box import is_token
from tidings.entrypoints.cli.desk import Call, open_call
from tidings.entrypoints.cli.output import note, write_json, write_line
from tidings.entrypoints.cli.parsing import VerbParser, parse_count, parse_duration
from tidings.entrypoints.cli.sending import WAIT_ENDED
from tidings.entrypoints.following import look_until
from tidings.ports.codec import Document
from tidings.ports.errors import NotRunning, UsageError

MOST = 32
"""Messages that one call takes where no ``--limit`` is given."""

Puller: TypeAlias = Callable[[Callable[[Frame], None]], StepOutcome]


def run(words: Sequence[str]) -> int:
    """Takes what waits, oldest first, marked before it is printed, so that nothing comes twice.

    Exit 0, also where nothing waits; 6 where ``--wait`` ended with nothing.
    """
    parser = VerbParser("inbox")
    parser.option("--box")
    parser.option("--wait", type=parse_duration)
    parser.option("--limit", type=parse_count)
    parser.option("--json")
    options = parser.read(words)
    if options.box is not None and not is_token(options.box):
        raise UsageError("a token has 32 hex digits", next_step="copy it from what send printed")
    call = open_call()
    taken = _take(_puller(call, options.box), options)
    if taken:
        return 0
    if not options.json:
        write_line("nothing waits")
    return 0 if options.wait is None else WAIT_ENDED


def _puller(call: Call, token: str | None) -> Puller:
    """Who may pull: the holder of a box's token, and a process inside the session itself (D17)."""
    if token is not None:
        return lambda hand_over: call.app.inbox.pull_box(token, hand_over)
    own = call.own_activation()
    if own is None:
        raise UsageError(
            "which inbox? no harness is above this shell",
            next_step="run this inside a session, or give the --box of a reply",
        )
    return lambda hand_over: call.app.inbox.pull(own.activation_id, hand_over)


def _take(pull: Puller, options: argparse.Namespace) -> int:
    """How many messages were taken."""
    most: int = MOST if options.limit is None else options.limit
    taken = 0
    while taken < most:
        wait_seconds = (options.wait or 0) if taken == 0 else 0
        outcome = look_until(lambda: _pulled(pull, options), seconds=wait_seconds)
        if not isinstance(outcome, Delivered):
            break
        taken += 1
    return taken


def _pulled(pull: Puller, options: argparse.Namespace) -> StepOutcome | None:
    """One message if one is there. What ended on the way is told, and the next is tried."""
    while True:
        outcome = pull(lambda frame: _print(frame, as_json=options.json))
        match outcome:
            case Delivered():
                return outcome
            case Settled():
                _tell_end(outcome, as_json=options.json)
            case Held():
                return None
            case LeaseLost():
                raise NotRunning("this run of the session has ended")
            case _:
                return None


def _print(frame: Frame, *, as_json: bool) -> None:
    if as_json:
        write_json(_document(frame))
        return
    for line in frame_text(frame).splitlines():
        write_line(line)
    write_line("")


def _tell_end(end: Settled, *, as_json: bool) -> None:
    entry = entry_of(end.reason)
    meaning = f": {entry.meaning}" if entry is not None else ""
    step = entry.next_step if entry is not None else ""
    note(f"{end.ref} ended as {end.state}{meaning}", code=0, as_json=as_json, next_step=step)


def _document(frame: Frame) -> Document:
    return {
        "ref": frame.message_ref,
        "conversation_ref": frame.conversation_ref,
        "reply_to": frame.reply_to or None,
        "kind": str(frame.kind),
        "source_agent": frame.source_agent or None,
        "sender": frame.address or frame.client,
        "proof": str(frame.proof),
        "accepted_at": to_rfc3339(frame.accepted_at_ns),
        "deadline": to_rfc3339(frame.deadline_ns),
        "answerable": str(frame.answer_way) != "none",
        "text": frame.shown,
    }
