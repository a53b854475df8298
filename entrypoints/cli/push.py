"""``tidings push``: the operator's own words to one session, or to all that are armed for them."""

from collections.abc import Sequence

from tidings.domain.identity.caller import SessionCaller
from tidings.domain.messages.receipt import refused
from tidings.domain.messages.wishes import When, Wishes
from tidings.entrypoints.cli.body import read_body
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.parsing import VerbParser, split_body
from tidings.entrypoints.cli.pushing import (
    Words,
    check_target,
    counted,
    send_counted,
    target_options,
    tell_refused,
)
from tidings.entrypoints.cli.sender import NO_OPERATOR, sender_of
from tidings.entrypoints.cli.sending import parse_moment


def run(words: Sequence[str]) -> int:
    """Sends what a person typed; a script's words go out as a script's (D4). An agent has none of
    its own to push (D27). The exit code is the message's, of several the highest."""
    with counted():
        return _run(words)


def _run(words: Sequence[str]) -> int:
    head, body = split_body(words)
    options = _parser().read(head)
    check_target(options)
    text = read_body(body, options.file)
    call = open_call()
    wishes = Wishes(when=options.when or When.NOW, supersede_key=options.key or "")
    if isinstance(call.caller, SessionCaller):
        nobody = Words(sender=NO_OPERATOR, text=text, wishes=wishes, options=options)
        return tell_refused(call, nobody, refused("push-from-agent"))
    return send_counted(
        call, Words(sender=sender_of(call), text=text, wishes=wishes, options=options)
    )


def _parser() -> VerbParser:
    parser = VerbParser("push")
    target_options(parser)
    parser.option("--when", type=parse_moment)
    return parser
