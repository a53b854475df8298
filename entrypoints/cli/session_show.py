"""``tidings session show``: one row of the registry, with the evidence on its owner."""

import os
from collections.abc import Sequence

from tidings.domain.sessions.row import SessionRow
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.output import write_json, write_line, write_table
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.cli.session_words import HEADER, pid_of, signal_rows, table_rows
from tidings.entrypoints.cli.subject import SESSION_PREFIX
from tidings.ports.errors import Ambiguous

OPERAND = "a session key (with or without session:), a pid, or an address"


def run(words: Sequence[str]) -> int:
    """Prints the row and every signal. 3 where there is none, 4 where a pid names several."""
    parser = VerbParser("session show")
    parser.operand("SESSION", OPERAND)
    parser.option("--json")
    options = parser.read(words)
    row = _find(open_application(os.environ), options.session)
    if options.json:
        write_json({**row.to_document(), "signals": signal_rows(row.liveness)})
        return 0
    write_table(HEADER, table_rows([row]))
    for one in row.liveness.signals:
        write_line(f"  {one.name}: {one.verdict}, {one.evidence}")
    return 0


def _find(app: Application, text: str) -> SessionRow:
    key = text.removeprefix(SESSION_PREFIX)
    matching = [row for row in app.roster.list() if key in (row.key, str(pid_of(row) or ""))]
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise Ambiguous(
            f"{len(matching)} records name the process {text}",
            candidates=[row.key for row in matching],
            next_step="name one of them by its key",
        )
    if key != text:
        return app.roster.show(key)
    return app.roster.show(app.admission.resolve(text).session_key)
