"""From an event to its mark in the dialog set (D23)."""

from tidings.domain.interaction import harness_events as table
from tidings.domain.interaction.dialogs import UNNAMED, Act, DialogKey, Mark
from tidings.domain.interaction.events import HookEvent

UNREAD = "a request that could not be read"


def mark_of(event: HookEvent) -> Mark | None:
    """The event's opening or close; None where it neither opens nor closes a dialog.

    An event that was read only in part opens under a key of its own, which the end of a turn, of
    the agent or of everything closes, and it closes nothing.
    """
    if event.cut:
        opens = event.effect in table.OPENINGS
        return _mark(event, Act.OPEN, DialogKey(agent=event.agent, what=UNREAD)) if opens else None
    return _whole(event)


def _whole(event: HookEvent) -> Mark | None:
    match event.effect:
        case table.OPENS_TOOL | table.OPENS_QUESTION:
            once = event.tool in table.QUESTION_TOOLS
            return _mark(event, Act.OPEN_ONCE if once else Act.OPEN, _tool_key(event))
        case table.CLOSES_TOOL:
            return _mark(event, Act.CLOSE_KEY, _tool_key(event))
        case table.OPENS_SERVER:
            return _mark(event, Act.OPEN, _server_key(event))
        case table.CLOSES_SERVER:
            return _mark(event, Act.CLOSE_KEY, _server_key(event))
        case table.OPENS_UNNAMED:
            return _mark(event, Act.OPEN_UNNAMED, UNNAMED)
        case table.CLOSES_AGENT:
            return _ends_agent(event)
        case table.CLOSES_MAIN | table.PROMPT:
            return _mark(event, Act.CLOSE_AGENT, DialogKey())
        case table.ENDS:
            return _mark(event, Act.CLOSE_ALL, UNNAMED)
        case _:
            return None


def _ends_agent(event: HookEvent) -> Mark | None:
    """The end of a subagent that names none would read as the main agent's: it closes nothing."""
    return _mark(event, Act.CLOSE_AGENT, DialogKey(agent=event.agent)) if event.agent else None


def _tool_key(event: HookEvent) -> DialogKey:
    return DialogKey(agent=event.agent, what=event.tool, detail=event.turn or event.input_digest)


def _server_key(event: HookEvent) -> DialogKey:
    """A form belongs to its server (D23), and to the main agent where a turn ends."""
    return DialogKey(what=f"the form of {event.server}")


def _mark(event: HookEvent, act: Act, key: DialogKey) -> Mark:
    return Mark(at_ns=event.started_at_ns, act=act, key=key, seen_at_ns=event.at_ns)
