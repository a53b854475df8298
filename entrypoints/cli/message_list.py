"""``tidings message list``: the newest messages, of all or of one session."""

from collections.abc import Sequence

from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.listing import print_views
from tidings.entrypoints.cli.output import write_line
from tidings.entrypoints.cli.parsing import VerbParser, parse_count
from tidings.ports.errors import NotRunning
from tidings.ports.messages import MessageRow

MOST = 20
"""Messages that are listed where no ``--limit`` is given."""

EITHER_END = "a session: messages to it or from it; without it all"


def run(words: Sequence[str]) -> int:
    """The newest ones, the oldest of them first; among the newest 10,000."""
    parser = VerbParser("message list")
    parser.operand("TARGET", EITHER_END, nargs="?")
    parser.option("--limit", type=parse_count)
    parser.option("--json")
    options = parser.read(words)
    app = open_call().app
    uid = None
    if options.target is not None:
        try:
            uid = app.admission.resolve(options.target).agent_uid
        except NotRunning:
            run_before = app.admission.last_run(options.target)
            uid = run_before.agent_uid if run_before is not None else None

    def wanted(row: MessageRow) -> bool:
        return uid is None or uid in (row.target_agent, row.source_agent)

    limit = MOST if options.limit is None else options.limit
    views = app.browser.newest(limit=limit, wanted=wanted)
    if not views and not options.json:
        write_line("no messages")
        return 0
    return print_views(app, views, as_json=options.json)
