"""Messages in a table, or as an array of JSON objects."""

from collections.abc import Sequence

from tidings.domain.messages.instants import to_clock_text
from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.messages import address_of, sender_words, view_document
from tidings.entrypoints.cli.output import write_json_array, write_table


def print_views(app: Application, views: Sequence[MessageView], *, as_json: bool) -> int:
    """One line each; texts are never in it. Exit code 0."""
    if as_json:
        write_json_array([view_document(view) for view in views])
        return 0
    rows = [
        (
            view.short,
            str(view.state),
            sender_words(app, view),
            address_of(app, view.row.target_agent),
            f"{to_clock_text(view.row.accepted_at_ns)} UTC",
            view.row.reason,
        )
        for view in views
    ]
    write_table(("REF", "STATE", "FROM", "TO", "SENT", "REASON"), rows)
    return 0
