"""``tidings session prune``: takes the records of the dead away, and by a bound the unknown (S 4.3)."""

import os
from collections.abc import Sequence

from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.ages import parse_age
from tidings.entrypoints.cli.output import tell_done
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.ports.codec import Document


def run(words: Sequence[str]) -> int:
    """Prunes, and prints what went and what stayed."""
    parser = VerbParser("session prune")
    parser.option("--older-than", dest="older_than_ns", type=parse_age, default=0)
    parser.option("--json")
    options = parser.read(words)
    app = open_application(os.environ)
    report = app.roster.prune(older_than_ns=options.older_than_ns)
    app.desk.tidy()
    removed: list[Document] = [row.to_document() for row in report.removed]
    document: Document = {
        "removed": [*removed],
        "dead_removed": report.dead_removed,
        "unknown_removed": report.unknown_removed,
        "kept": report.kept,
    }
    unknown = f", {report.unknown_removed} unknown" if options.older_than_ns > 0 else ""
    said = f"{report.dead_removed} dead{unknown} removed, {report.kept} kept"
    return tell_done(said, document, code=0, as_json=options.json)
