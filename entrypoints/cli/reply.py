"""``tidings reply REF -- TEXT``: answers a message that the caller's session received."""

from collections.abc import Sequence

from tidings.domain.messages.refs import mint_ref
from tidings.entrypoints.cli.body import read_body
from tidings.entrypoints.cli.desk import Call, open_call
from tidings.entrypoints.cli.messages import address_of, print_view
from tidings.entrypoints.cli.parsing import REF, VerbParser, split_body
from tidings.entrypoints.cli.receipts import tell_view
from tidings.entrypoints.cli.sender import sender_of
from tidings.entrypoints.cli.sending import OUTCOME_WAIT_SECONDS, Out, answering, send_out
from tidings.entrypoints.following import Milestone


def run(words: Sequence[str]) -> int:
    """Answers once; a second answer to the same message is refused."""
    head, body = split_body(words)
    parser = VerbParser("reply")
    parser.operand("REF", REF)
    parser.option("--file")
    parser.option("--json")
    options = parser.read(head)
    text = read_body(body, options.file)
    call = open_call()
    return send_out(
        call,
        mint_ref(call.app.ports.ids),
        answering(call, sender_of(call), text, original=options.ref),
        wanted=Milestone.OUTCOME,
        seconds=OUTCOME_WAIT_SECONDS,
        box=None,
        as_json=options.json,
        tell=lambda out: _tell(call, out, as_json=options.json),
    )


def _tell(call: Call, out: Out, *, as_json: bool) -> int:
    view = out.view
    return tell_view(
        view,
        code=view.exit_code,
        as_json=as_json,
        show=lambda: print_view(
            view, address=address_of(call.app, view.row.target_agent), app=call.app
        ),
    )
