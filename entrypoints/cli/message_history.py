"""``tidings message history``: what is kept of messages that left, on the screen or in a file."""

import os
from collections import deque
from collections.abc import Sequence

from tidings.domain.messages.archive import history_rows
from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.output import (
    safe,
    tell_done,
    write_error,
    write_json,
    write_line,
    write_table,
)
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.keeping import export_history, read_history
from tidings.entrypoints.places import from_root
from tidings.ports.codec import Document
from tidings.ports.errors import StateUnreadable

SHOWN = 100
"""Messages that the screen shows; a file gets all."""

STANDARD_INPUT = "/dev/stdin"
COLUMNS = ("messageRef", "evictedAt", "state", "deliveryReason")


def run(words: Sequence[str]) -> int:
    """Prints the latest that left, oldest of them first, or writes all of them to a file; or prints
    what such a file holds, without the store."""
    parser = VerbParser("message history")
    parser.option("--export")
    parser.option("--file")
    parser.option("--json")
    options = parser.read(words)
    if options.file is not None:
        if options.export is not None:
            parser.error("--export and --file exclude each other")
        return _read(options.file, as_json=options.json)
    app = open_application(os.environ)
    if options.export is not None:
        count = export_history(app, os.path.abspath(from_root(options.export)))
        said = f"{count} written to {options.export}"
        return tell_done(said, {"exported": count}, code=0, as_json=options.json)
    rows = deque(history_rows(app.ports.store), maxlen=SHOWN)
    return _print(
        [row.line for row in rows], none="no message has left the store", as_json=options.json
    )


def _read(file: str, *, as_json: bool) -> int:
    """All of a file: whoever kept it wants to look through it."""
    lines, skipped = read_history(STANDARD_INPUT if file == "-" else file)
    if skipped and not lines:
        raise StateUnreadable(
            f"{file} holds no history: none of it reads as such",
            next_step="name the file that `tidings message history --export` wrote",
        )
    if skipped:
        write_error(f"tidings: {skipped} lines of {safe(file)} do not read as history")
    return _print(lines, none=f"no message is in {file}", as_json=as_json)


def _print(lines: Sequence[Document], *, none: str, as_json: bool) -> int:
    if as_json:
        for line in lines:
            write_json({"line": line})
    elif lines:
        write_table(("REF", "LEFT", "STATE", "REASON"), [_cells(line) for line in lines])
    else:
        write_line(none)
    return 0


def _cells(line: Document) -> tuple[str, ...]:
    return tuple(str(line.get(name) or "-") for name in COLUMNS)
