"""``tidings session list``: the registry, row by row. Reads only, and takes no lock (S 4.2)."""

import os
from collections.abc import Sequence

from tidings.domain.sessions.row import SessionRow
from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.output import write_json_array, write_line, write_table
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.cli.session_words import HEADER, cwd_of, label_of, table_rows
from tidings.entrypoints.places import from_root
from tidings.entrypoints.surroundings import storable
from tidings.ports.tokens import Verdict


def run(words: Sequence[str]) -> int:
    """Lists what is not dead, newest first; ``--all`` adds the dead. The filters combine."""
    parser = VerbParser("session list")
    parser.option("--agent")
    parser.option("--cwd")
    parser.option("--all")
    parser.option("--json")
    options = parser.read(words)
    folder = os.path.realpath(from_root(options.cwd)) if options.cwd else ""
    rows = [
        row
        for row in open_application(os.environ).roster.list()
        if (options.all or row.verdict is not Verdict.DEAD)
        and (options.agent is None or label_of(row) == options.agent)
        and (not folder or _is_in(row, storable(folder)))
    ]
    if options.json:
        write_json_array(row.to_document() for row in rows)
    elif rows:
        write_table(HEADER, table_rows(rows))
    else:
        write_line("no sessions are registered" + ("" if options.all else " and alive"))
    return 0


def _is_in(row: SessionRow, folder: str) -> bool:
    """``folder`` in the spelling of records: what is no UTF-8 in it stands there as ``?``."""
    cwd = cwd_of(row)
    return bool(cwd) and folder in (cwd, os.path.realpath(cwd))
