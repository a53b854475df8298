"""The events of a message as lines of one column: they come and go with its row, in one page."""

from tidings.ports.errors import StoreMalformed
from tidings.ports.messages import EventRow

_FIELD = "\t"


def event_line(row: EventRow) -> str:
    """One line. Raises ``ValueError`` for a name or reason that a line cannot hold."""
    if not (row.name + row.reason).isprintable():
        raise ValueError("an event says one printable line")
    return f"{row.at_ns}{_FIELD}{row.name}{_FIELD}{row.reason}\n"


def event_of(ref: str, line: str) -> EventRow:
    """The event in ``line``. Raises ``StoreMalformed``."""
    parts = line.split(_FIELD)
    if len(parts) != 3 or not (parts[0].isascii() and parts[0].isdigit()):
        raise StoreMalformed(f"an event of the message {ref[:40]} does not read")
    return EventRow(ref=ref, at_ns=int(parts[0]), name=parts[1], reason=parts[2])
