"""``tidings ask``: one question to one session; prints the answer and nothing else."""

import argparse
from collections.abc import Sequence

from tidings.domain.messages.refs import mint_ref
from tidings.domain.messages.wishes import Wishes
from tidings.entrypoints.cli.body import read_body
from tidings.entrypoints.cli.desk import Call, open_call
from tidings.entrypoints.cli.messages import address_of, answer_text, print_view
from tidings.entrypoints.cli.output import write_line
from tidings.entrypoints.cli.parsing import TARGET, VerbParser, parse_duration, split_body
from tidings.entrypoints.cli.receipts import tell_view
from tidings.entrypoints.cli.sender import Sender, sender_of
from tidings.entrypoints.cli.sending import (
    TIMEOUT_SECONDS,
    Out,
    ReplyBox,
    Sending,
    awaited_by,
    box_for,
    box_words,
    drafting,
    exit_code,
    send_out,
    take_answer,
    ttl_of,
)
from tidings.entrypoints.following import Milestone
from tidings.ports.codec import Document


def run(words: Sequence[str]) -> int:
    """Sends, waits, prints the answer. Without one it prints the receipt; 6 where the wait ended."""
    head, body = split_body(words)
    options = _parser().read(head)
    text = read_body(body, options.file)
    call = open_call()
    sender = sender_of(call)
    box = box_for(call, sender, wanted=True)
    return send_out(
        call,
        options.ref or mint_ref(call.app.ports.ids),
        _sending(call, sender, text, options, box),
        wanted=Milestone.ANSWERED,
        seconds=TIMEOUT_SECONDS if options.timeout is None else options.timeout,
        box=box,
        as_json=options.json,
        tell=lambda out: _tell(call, out, as_json=options.json),
    )


def _sending(
    call: Call, sender: Sender, text: str, options: argparse.Namespace, box: ReplyBox | None
) -> Sending:
    return drafting(
        call,
        sender,
        text,
        target=call.app.target_of(options.target, ref=options.ref),
        ttl_ns=ttl_of(options.ttl),
        wishes=Wishes(
            reply_box="" if box is None else box.name,
            awaited_by=awaited_by(call, sender, Milestone.ANSWERED),
        ),
    )


def _tell(call: Call, out: Out, *, as_json: bool) -> int:
    view, answer = out.view, answer_text(out.view, call.app)
    more: Document = {"answer": answer or None}
    if out.box is not None:
        more["reply_box"] = out.box.token
    code = tell_view(
        view,
        code=exit_code(view, Milestone.ANSWERED),
        as_json=as_json,
        show=lambda: _show(call, out, answer),
        more=more,
    )
    take_answer(call, out)
    return code


def _show(call: Call, out: Out, answer: str) -> None:
    if answer:
        for line in answer.splitlines():
            write_line(line)
        return
    view = out.view
    print_view(view, address=address_of(call.app, view.row.target_agent), app=call.app)
    if exit_code(view, Milestone.ANSWERED) != view.exit_code:
        write_line(f"  no answer yet; `tidings show {view.short}` tells how it goes")
    if box_words(out):
        write_line(f"  {box_words(out)}")


def _parser() -> VerbParser:
    parser = VerbParser("ask")
    parser.operand("TARGET", TARGET)
    parser.option("--ttl", type=parse_duration)
    parser.option("--ref")
    parser.option("--file")
    parser.option("--timeout", type=parse_duration)
    parser.option("--json")
    return parser
