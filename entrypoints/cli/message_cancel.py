"""``tidings message cancel REF``: takes a message back that has not been written yet (D20)."""

from collections.abc import Sequence

from tidings.domain.messages.hold import CANCELLED
from tidings.domain.messages.send_outcome import Refused
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.messages import address_of, print_receipt, print_refusal
from tidings.entrypoints.cli.parsing import REF, VerbParser
from tidings.entrypoints.cli.receipts import tell_view
from tidings.entrypoints.cli.sender import sender_of

TOO_LATE = 1


def run(words: Sequence[str]) -> int:
    """Exit 0 once it is cancelled, by this call or before; 1 where it was too late; 5 for others'."""
    parser = VerbParser("message cancel")
    parser.operand("REF", REF)
    parser.option("--json")
    options = parser.read(words)
    call = open_call()
    ref = call.app.post_office.view(options.ref).row.ref
    outcome = call.app.post_office.cancel(ref, source_agent=sender_of(call).agent_uid)
    if isinstance(outcome, Refused):
        return print_refusal(outcome, as_json=options.json)
    view = call.app.post_office.view(ref)
    return tell_view(
        view,
        code=0 if view.row.reason == CANCELLED.reason else view.exit_code or TOO_LATE,
        as_json=options.json,
        show=lambda: print_receipt(view, address=address_of(call.app, view.row.target_agent)),
    )
