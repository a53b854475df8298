"""``tidings message thread REF``: a question and every answer under it, or a text to all."""

from collections.abc import Sequence

from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.listing import print_views
from tidings.entrypoints.cli.parsing import REF, VerbParser


def run(words: Sequence[str]) -> int:
    """In the order of acceptance, whichever message of the thread ``REF`` names; the messages of a
    fan-out by the ref of all."""
    parser = VerbParser("message thread")
    parser.operand("REF", REF)
    parser.option("--json")
    options = parser.read(words)
    app = open_call().app
    return print_views(app, app.browser.thread(options.ref), as_json=options.json)
