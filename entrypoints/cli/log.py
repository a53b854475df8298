"""``tidings log``: what happened to all messages, event by event."""

from collections.abc import Sequence

from tidings.domain.instants import to_rfc3339
from tidings.domain.messages.instants import to_clock_text
from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.messages import address_of, sender_words
from tidings.entrypoints.cli.output import write_json, write_line
from tidings.entrypoints.cli.parsing import VerbParser, parse_count
from tidings.entrypoints.following import look_until
from tidings.ports.errors import NotFound
from tidings.ports.messages import NumberedEvent

MOST = 20
"""Events that are shown first where no ``--limit`` is given."""

AT_ONCE = 200
FOREVER_SECONDS = 3600.0
"""One wait of ``--follow``; another follows until somebody ends it."""


def run(words: Sequence[str]) -> int:
    """The last events; with ``--follow`` every further one, until INT. One JSON object a line."""
    parser = VerbParser("log")
    parser.option("--follow")
    parser.option("--limit", type=parse_count)
    parser.option("--json")
    options = parser.read(words)
    app = open_call().app
    events = app.browser.latest_events(limit=MOST if options.limit is None else options.limit)
    last = _print(app, events, after=0, as_json=options.json)
    while options.follow:
        last = _print(app, _more(app, last), after=last, as_json=options.json)
    return 0


def _more(app: Application, number: int) -> Sequence[NumberedEvent]:
    """What happened after the event ``number``, as soon as there is something."""
    found = look_until(
        lambda: app.browser.events_after(number, limit=AT_ONCE) or None, seconds=FOREVER_SECONDS
    )
    return found or ()


def _print(app: Application, events: Sequence[NumberedEvent], *, after: int, as_json: bool) -> int:
    """Prints them; the number of the last one."""
    for one in events:
        view = _view(app, one.event.ref)
        if as_json:
            _print_json(one, view)
        else:
            write_line(_line(app, one, view))
    return events[-1].number if events else after


def _view(app: Application, ref: str) -> MessageView | None:
    """None for a message that is in history by now."""
    try:
        return app.post_office.view(ref)
    except NotFound:
        return None


def _line(app: Application, one: NumberedEvent, view: MessageView | None) -> str:
    event = one.event
    ref, ends = event.ref, ""
    if view is not None:
        ref = view.short
        ends = f"  {sender_words(app, view)} → {address_of(app, view.row.target_agent)}"
    reason = f"  {event.reason}" if event.reason else ""
    return f"{to_clock_text(event.at_ns)}  {ref}  {event.name}{ends}{reason}"


def _print_json(one: NumberedEvent, view: MessageView | None) -> None:
    write_json(
        {
            "number": one.number,
            "at": to_rfc3339(one.event.at_ns),
            "ref": one.event.ref,
            "event": one.event.name,
            "reason": one.event.reason,
            "kind": view.row.kind if view is not None else None,
            "source_agent": view.row.source_agent if view is not None else None,
            "target_agent": view.row.target_agent if view is not None else None,
        }
    )
