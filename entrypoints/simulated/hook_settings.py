"""Which hook commands the client's settings configure for one event (H 2)."""

import re
from typing import Final

from tidings.entrypoints.simulated.payloads import HookCall
from tidings.entrypoints.simulated.plain import as_array, as_object, as_text, read_value
from tidings.ports.codec import Document
from tidings.ports.values import dataclass

DEFAULT_SECONDS: Final = 60.0
SESSION_END_SECONDS: Final = 1.5
"""A SessionEnd hook without a timeout is stopped after 1.5 s (H 2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookCommand:
    """One shell command and how many seconds it may take."""

    command: str
    timeout_seconds: float


def commands_for(call: HookCall, settings: str) -> tuple[HookCommand, ...]:
    """The commands in the text of ``settings.json`` whose matcher fits; none in broken text."""
    hooks = as_object(as_object(read_value(settings)).get("hooks"))
    groups = [as_object(group) for group in as_array(hooks.get(call.event))]
    return tuple(
        _command(as_object(entry), call.event)
        for group in groups
        if _matches(as_text(group.get("matcher")), call.subject)
        for entry in as_array(group.get("hooks"))
        if as_object(entry).get("type") == "command"
    )


def _matches(matcher: str, subject: str) -> bool:
    return matcher in ("", "*") or re.fullmatch(matcher, subject) is not None


def _command(entry: Document, event: str) -> HookCommand:
    usual_seconds = SESSION_END_SECONDS if event == "SessionEnd" else DEFAULT_SECONDS
    timeout = entry.get("timeout")
    return HookCommand(
        command=as_text(entry.get("command")),
        timeout_seconds=float(timeout) if isinstance(timeout, int | float) else usual_seconds,
    )
