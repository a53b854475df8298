"""``tidings message history``: what is kept of messages that left, on the screen or in a file."""

import os
from collections import deque
from collections.abc import Sequence

from tidings.domain.instants import to_rfc3339
from tidings.domain.messages.archive import history_rows
from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.output import tell_done, write_json, write_line, write_table
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.keeping import export_history
from tidings.entrypoints.places import from_root
from tidings.ports.history import HistoryRow

SHOWN = 100
"""Messages that the screen shows; a file gets all."""


def run(words: Sequence[str]) -> int:
    """Prints the latest that left, oldest of them first, or writes all of them to a file."""
    parser = VerbParser("message history")
    parser.option("--export")
    parser.option("--json")
    options = parser.read(words)
    app = open_application(os.environ)
    if options.export is not None:
        count = export_history(app, os.path.abspath(from_root(options.export)))
        said = f"{count} written to {options.export}"
        return tell_done(said, {"exported": count}, code=0, as_json=options.json)
    rows = deque(history_rows(app.ports.store), maxlen=SHOWN)
    if options.json:
        for row in rows:
            write_json({"line": row.line})
    elif rows:
        write_table(("REF", "LEFT", "STATE", "REASON"), [_cells(row) for row in rows])
    else:
        write_line("no message has left the store")
    return 0


def _cells(row: HistoryRow) -> tuple[str, str, str, str]:
    return row.ref, to_rfc3339(row.evicted_at_ns), row.state, row.reason
