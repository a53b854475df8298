"""``tidings reply REF -- TEXT``: answers a message that the caller's session received."""

from collections.abc import Sequence

from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.send_outcome import Refused
from tidings.entrypoints.cli.body import read_body
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.messages import print_refusal, print_view, view_document
from tidings.entrypoints.cli.output import write_json
from tidings.entrypoints.cli.parsing import REF, VerbParser, split_body
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
    outcome = call.app.post_office.answer(
        original.row.ref,
        text,
        replier=replier,
        proof=Proof.ANCESTRY,
        place=place_of(replier.cwd),
        wait_seconds=STORE_WAIT_SECONDS,
    )
    if isinstance(outcome, Refused):
        return print_refusal(outcome, as_json=options.json)
    view = follow(call.app, outcome.ref, Milestone.OUTCOME, seconds=OUTCOME_WAIT_SECONDS)
    if options.json:
        write_json(view_document(view))
    else:
        print_view(view, address=call.app.admission.address_of(view.row.target_agent), app=call.app)
    return view.exit_code
