"""``tidings send``: one message to one session, and what became of it."""

import argparse
from collections.abc import Sequence

from tidings.domain.messages.receipt import MessageView
from tidings.domain.messages.refs import mint_ref
from tidings.domain.messages.wishes import When, Wishes
from tidings.entrypoints.cli.body import read_body
from tidings.entrypoints.cli.desk import Call, open_call
from tidings.entrypoints.cli.messages import address_of, print_view
from tidings.entrypoints.cli.output import write_line
from tidings.entrypoints.cli.parsing import TARGET, VerbParser, parse_duration, split_body
from tidings.entrypoints.cli.receipts import tell_view
from tidings.entrypoints.cli.sender import Sender, sender_of
from tidings.entrypoints.cli.sending import (
    OUTCOME_WAIT_SECONDS,
    TIMEOUT_SECONDS,
    WAIT_ENDED,
    Out,
    ReplyBox,
    Sending,
    answering,
    awaited_by,
    box_document,
    box_for,
    box_words,
    drafting,
    exit_code,
    parse_key,
    parse_moment,
    send_out,
    take_answer,
    ttl_of,
)
from tidings.entrypoints.cli.words import duration_words
from tidings.entrypoints.following import Milestone
from tidings.ports.errors import UsageError


def run(words: Sequence[str]) -> int:
    """Sends, waits a moment for the outcome, prints it. The exit code is the message's."""
    head, body = split_body(words)
    options = _parser().read(head)
    _check(options)
    text = read_body(body, options.file)
    call = open_call()
    sender = sender_of(call, named=options.source)
    box = _box(call, sender, options)
    # Minted here and not when it is stored, so that it can be told whatever happens in between.
    ref = options.ref or mint_ref(call.app.ports.ids)
    return send_out(
        call,
        ref,
        _sending(call, sender, text, options, box),
        wanted=_wanted(options),
        seconds=_seconds(options),
        box=box,
        as_json=options.json,
        tell=lambda out: _tell(call, out, options),
    )


def _check(options: argparse.Namespace) -> None:
    """Usage comes first (D20)."""
    if options.timeout is not None and options.wait is None:
        raise UsageError("--timeout is how long --wait waits", next_step="add --wait seen")
    if options.reply_to is None:
        return
    for flag in ("ttl", "when", "key", "reply_box"):
        if getattr(options, flag):
            raise UsageError(
                f"an answer takes no --{flag.replace('_', '-')}",
                next_step="it goes out as soon as it may, and lives as long as its question",
            )


def _box(call: Call, sender: Sender, options: argparse.Namespace) -> ReplyBox | None:
    if options.reply_box and sender.source is not None:
        raise UsageError(
            "a reply box is for senders that are no agents",
            next_step="leave --reply-box out; answers come to this session itself",
        )
    return box_for(call, sender, wanted=options.reply_box or options.wait is Milestone.ANSWERED)


def _sending(
    call: Call, sender: Sender, text: str, options: argparse.Namespace, box: ReplyBox | None
) -> Sending:
    if options.reply_to is not None:
        return answering(call, sender, text, original=options.reply_to, target=options.target)
    return drafting(
        call,
        sender,
        text,
        target=call.app.target_of(options.target, ref=options.ref),
        ttl_ns=ttl_of(options.ttl),
        allow_self=options.allow_self,
        wishes=Wishes(
            when=options.when or When.NOW,
            supersede_key=options.key or "",
            reply_box="" if box is None else box.name,
            awaited_by=awaited_by(call, sender, _wanted(options)),
        ),
    )


def _tell(call: Call, out: Out, options: argparse.Namespace) -> int:
    view, code = out.view, exit_code(out.view, _wanted(options))
    where = box_words(out)

    def show() -> None:
        print_view(view, address=address_of(call.app, view.row.target_agent), app=call.app)
        if code == WAIT_ENDED:
            write_line(_wait_ended(view, options))
        if where:
            write_line(f"  {where}")

    code = tell_view(
        view, code=code, as_json=options.json, show=show, more=box_document(out, call.app)
    )
    take_answer(call, out)
    return code


def _wanted(options: argparse.Namespace) -> Milestone:
    wanted: Milestone | None = options.wait
    return Milestone.OUTCOME if wanted is None else wanted


def _seconds(options: argparse.Namespace) -> float:
    given: int | None = options.timeout
    if options.wait is None:
        return OUTCOME_WAIT_SECONDS
    return TIMEOUT_SECONDS if given is None else given


def _wait_ended(view: MessageView, options: argparse.Namespace) -> str:
    return (
        f"  not {options.wait} after {duration_words(int(_seconds(options)))}: the wait ended, the"
        f" message lives on; `tidings show {view.short}` tells how it goes"
    )


def _parser() -> VerbParser:
    parser = VerbParser("send")
    parser.operand("TARGET", TARGET)
    parser.option("--ttl", type=parse_duration)
    parser.option("--when", type=parse_moment)
    parser.option("--key", type=parse_key)
    parser.option("--ref")
    parser.option("--reply-to")
    parser.option("--source")
    parser.option("--file")
    parser.option("--self", dest="allow_self")
    parser.option("--wait", type=_milestone)
    parser.option("--timeout", type=parse_duration)
    parser.option("--reply-box")
    parser.option("--wake")
    parser.option("--json")
    return parser


def _milestone(word: str) -> Milestone:
    if word not in (Milestone.SEEN, Milestone.ANSWERED):
        raise argparse.ArgumentTypeError(f"{word!r} is neither seen nor answered")
    return Milestone(word)
