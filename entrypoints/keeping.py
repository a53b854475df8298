"""Keeping what left: the export of history, for the library and the command alike."""

from tidings.adapters.files.history_file import write_lines
from tidings.domain.messages.archive import history_rows
from tidings.entrypoints.application import Application


def export_history(app: Application, file: str) -> int:
    """Writes every line of history to ``file`` whole; how many. Raises ``StateUnwritable``."""
    lines = (row.line for row in history_rows(app.ports.store))
    return write_lines(file, lines, codec=app.ports.codec)
