"""``tidings message status REF``: where one message stands, for scripts."""

from collections.abc import Sequence

from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.messages import address_of, print_receipt, view_document
from tidings.entrypoints.cli.output import write_json
from tidings.entrypoints.cli.parsing import REF, VerbParser
from tidings.entrypoints.cli.past import show_past


def run(words: Sequence[str]) -> int:
    """Exit 0 for every message that is stored or in history; with ``--exit-state`` the code of its state (D35)."""
    parser = VerbParser("message status")
    parser.operand("REF", REF)
    parser.option("--exit-state")
    parser.option("--json")
    options = parser.read(words)
    app = open_call().app
    past = app.post_office.past(options.ref)
    if past is not None:
        code = show_past(past, app, as_json=options.json)
        return code if options.exit_state else 0
    view = app.post_office.view(options.ref)
    if options.json:
        write_json(view_document(view))
    else:
        print_receipt(view, address=address_of(app, view.row.target_agent))
    return view.exit_code if options.exit_state else 0
