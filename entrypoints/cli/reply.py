"""``tidings reply REF -- TEXT``: answers a message that the caller's session received."""

from collections.abc import Sequence

from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.refs import mint_ref
from tidings.domain.messages.send_outcome import Refused
from tidings.entrypoints.cli.body import read_body
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.messages import print_refusal, print_view
from tidings.entrypoints.cli.parsing import REF, VerbParser, split_body
from tidings.entrypoints.cli.receipts import tell_view, told
from tidings.entrypoints.following import Milestone, follow
from tidings.entrypoints.surroundings import place_of
from tidings.ports.errors import NotAllowed

STORE_WAIT_SECONDS = 2.0
OUTCOME_WAIT_SECONDS = 2.0


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
    replier = call.own_activation()
    if replier is None:
        raise NotAllowed(
            "only the session that received a message can answer it",
            reason="source-not-yours",
            next_step="run this inside that session",
        )
    original = call.app.post_office.view(options.ref)
    ref = mint_ref(call.app.ports.ids)
    with told(call.app, ref, as_json=options.json):
        outcome = call.app.post_office.answer(
            original.row.ref,
            text,
            replier=replier,
            proof=Proof.ANCESTRY,
            place=place_of(replier.cwd),
            ref=ref,
            wait_seconds=STORE_WAIT_SECONDS,
        )
        if isinstance(outcome, Refused):
            return print_refusal(outcome, as_json=options.json)
        view = follow(call.app, outcome.ref, Milestone.OUTCOME, seconds=OUTCOME_WAIT_SECONDS)
        address = call.app.admission.address_of(view.row.target_agent)
        return tell_view(
            view,
            code=view.exit_code,
            as_json=options.json,
            show=lambda: print_view(view, address=address, app=call.app),
        )
