"""``tidings show REF``: one message, its states and evidence, the cause, the one next
step, and its whole text."""

from collections.abc import Sequence

from tidings.domain.instants import to_rfc3339
from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints.cli.desk import Call, open_call
from tidings.entrypoints.cli.messages import (
    address_of,
    answer_text,
    print_text,
    print_view,
    view_document,
)
from tidings.entrypoints.cli.output import write_json, write_line
from tidings.entrypoints.cli.parsing import REF, VerbParser
from tidings.entrypoints.cli.past import show_past
from tidings.entrypoints.cli.words import tenths


def run(words: Sequence[str]) -> int:
    """Prints the message. Exit 0 for every message that exists, whatever became of it (M 3.4)."""
    parser = VerbParser("show")
    parser.operand("REF", REF)
    parser.option("--json")
    options = parser.read(words)
    call = open_call()
    past = call.app.post_office.past(options.ref)
    if past is not None:
        show_past(past, call.app, as_json=options.json)
        return 0
    view = call.app.post_office.view(options.ref)
    if options.json:
        write_json(
            {
                **view_document(view),
                "events": [
                    {"at": to_rfc3339(one.at_ns), "event": one.name, "reason": one.reason}
                    for one in view.events
                ],
                "answer": answer_text(view, call.app) or None,
            }
        )
        return 0
    print_view(view, address=_address(call, view), app=call.app)
    for event in view.events:
        since = tenths(event.at_ns - view.row.accepted_at_ns)
        reason = f"  {event.reason}" if event.reason else ""
        write_line(f"  {since:>8}  {event.name}{reason}")
    write_line(f"  the text ({len(view.envelope.payload.encode())} bytes):")
    print_text(view.envelope.payload)
    return 0


def _address(call: Call, view: MessageView) -> str:
    return address_of(call.app, view.row.target_agent)
