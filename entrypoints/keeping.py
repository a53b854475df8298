"""Keeping what left: the export of history, for the library and the command alike."""

import os

from tidings.adapters.files.history_file import read_lines, write_lines
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.messages.archive import history_rows
from tidings.entrypoints.application import Application
from tidings.ports.codec import Document
from tidings.ports.errors import StateUnreadable


def export_history(app: Application, file: str) -> int:
    """Writes every line of history to ``file`` whole; how many. Raises ``StateUnwritable``."""
    lines = (row.line for row in history_rows(app.ports.store))
    return write_lines(file, lines, codec=app.ports.codec)


def read_history(file: str) -> tuple[tuple[Document, ...], int]:
    """The lines of an export, the last of each ref, and how many did not read; no store is opened.

    Raises ``StateUnreadable``, also where there is no such file: somebody named it.
    """
    if not os.path.lexists(file):
        raise StateUnreadable(
            f"{file} is not there",
            next_step="`tidings message history --export` writes such a file",
        )
    read = read_lines(file, codec=JsonCodec())
    by_ref = {str(line["messageRef"]): line for line in read.lines}
    return tuple(by_ref.values()), read.skipped
