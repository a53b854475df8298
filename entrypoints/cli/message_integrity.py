"""``tidings message integrity``: every row of the store judged; nothing is repaired."""

import os
from collections.abc import Sequence

from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.output import write_json, write_line
from tidings.entrypoints.cli.parsing import VerbParser

MALFORMED = 7


def run(words: Sequence[str]) -> int:
    """Prints what is wrong, a line each; 0 where nothing is, 7 else."""
    parser = VerbParser("message integrity")
    parser.option("--json")
    options = parser.read(words)
    problems = open_application(os.environ).ports.store.integrity()
    if options.json:
        write_json({"sound": not problems, "problems": [*problems]})
    else:
        for line in problems or ("the store is sound",):
            write_line(line)
    return MALFORMED if problems else 0
