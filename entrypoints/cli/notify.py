"""``tidings notify``: a notice to one session, or to all that are armed for it; it waits for a turn."""

from collections.abc import Sequence

from tidings.domain.messages.wishes import Wishes
from tidings.entrypoints.cli.body import read_body
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.parsing import VerbParser, split_body
from tidings.entrypoints.cli.pushing import (
    Words,
    check_target,
    counted,
    send_counted,
    target_options,
)
from tidings.entrypoints.cli.sender import sender_of


def run(words: Sequence[str]) -> int:
    """Sends a notice from whoever calls: an agent, a person or a script. The exit code is the
    message's, of several the highest; to wait for a turn is 0."""
    with counted():
        return _run(words)


def _run(words: Sequence[str]) -> int:
    head, body = split_body(words)
    options = _parser().read(head)
    check_target(options)
    text = read_body(body, options.file)
    call = open_call()
    sender = sender_of(call).noticing()
    wishes = Wishes(supersede_key=options.key or "", wake=options.wake)
    return send_counted(call, Words(sender=sender, text=text, wishes=wishes, options=options))


def _parser() -> VerbParser:
    parser = VerbParser("notify")
    target_options(parser)
    parser.option("--wake")
    return parser
