"""From a hook's payload to the one short record that the spool keeps (D10, D11).

Light: the hook imports it. Pure: plain values in, a plain record out, or None for a quiet event.
A record never holds prompt text, tool input or output: only names, digests and refs of ours.

Keys of a record, in this order; the last ones only where they say something::

    v         1
    event     the hook's event name
    client    claude | codex
    session   the harness's conversation (Codex: the thread)
    start     when the hook's process began, nanoseconds of the boot clock (10 ms ticks on Linux)
    at        the wall clock when the record was made, nanoseconds
    agent     the subagent that the event belongs to
    mode      the permission mode of the session, where the event says it
    tool, input, server, turn     what is asked or answered; ``input`` is a digest
    word      notification_type, source or reason
    path      the transcript, from events that begin something
    refs, digests                 what of ours a prompt showed the model
    cut       true where the payload was too large or broken to be read whole
"""

from __future__ import annotations

from tidings.domain.identity.digest import sha256
from tidings.domain.interaction import harness_events as table
from tidings.domain.interaction.input_digest import digest_input

TYPE_CHECKING = False  # a type checker reads it as true; see ``digest``

if TYPE_CHECKING:
    from tidings.ports.codec import Document, Value

RECORD_VERSION = 1
LONGEST_NAME = 64
"""Characters of a name that are kept; a longer one is replaced by a digest of itself."""
LONGEST_PATH = 512
"""Bytes of a transcript's path that are kept; a longer one is left out."""
MAY_BE_DROPPED = ("path", "refs", "digests")
"""What a writer leaves out, in this order, where a record would not fit its line."""

_WORDS = {"Notification": "notification_type", "SessionStart": "source", "SessionEnd": "reason"}


def condense(client: str, payload: Document, *, started_at_ns: int, at_ns: int) -> Document | None:
    """The record of a payload that was read whole; None where the tables say nothing changes.

    Raises ``RecursionError`` for tool input nested beyond reason: use ``condense_cut`` then.
    """
    event, tool = _text(payload, "hook_event_name"), _text(payload, "tool_name")
    word = _text(payload, _WORDS.get(event, ""))
    effect = table.effect_of(client, event, tool=tool, notice=word)
    if effect == table.QUIET:
        return None
    record = _head(client, event, payload, started_at_ns, at_ns)
    if effect in (table.OPENS_TOOL, table.OPENS_QUESTION, table.CLOSES_TOOL):
        _add_tool(record, payload, tool, client)
    _put(record, "server", short_name(_text(payload, "mcp_server_name")))
    _put(record, "word", short_name(word))
    if effect in (table.BEGINS, table.PROMPT):
        _put(record, "path", _short_path(_text(payload, "transcript_path")))
    if effect == table.PROMPT:
        _add_prompt(record, _text(payload, "prompt"))
    return record


def condense_cut(client: str, head: str, *, started_at_ns: int, at_ns: int) -> Document | None:
    """The record of a payload of which only the beginning can be trusted (D10).

    An opening counts. A close is kept with ``cut``: it closes nothing by itself and asks for a look
    at the published status. Nothing else is worth a guess.
    """
    names = ("hook_event_name", "session_id", "agent_id", "permission_mode", "tool_name")
    payload: Document = {name: _scan(head, name) for name in names}
    event, tool = _text(payload, "hook_event_name"), _text(payload, "tool_name")
    notice = _scan(head, "notification_type")
    effect = table.effect_of(client, event, tool=tool, notice=notice)
    if effect in (table.QUIET, table.BEGINS, table.ENDS):
        return None
    record = _head(client, event, payload, started_at_ns, at_ns)
    _put(record, "tool", short_name(tool))
    _put(record, "word", short_name(notice))
    record["cut"] = True
    return record


def short_name(text: str) -> str:
    """``text`` as a record may hold it: printable by any codec, at most ``LONGEST_NAME`` characters."""
    clean = text.encode("utf-8", "replace").decode("utf-8")
    if len(clean) <= LONGEST_NAME:
        return clean
    return f"sha256:{sha256(clean.encode('utf-8')).hexdigest()[:32]}"


def _head(client: str, event: str, payload: Document, started_at_ns: int, at_ns: int) -> Document:
    record: Document = {
        "v": RECORD_VERSION,
        "event": short_name(event),
        "client": client,
        "session": short_name(_text(payload, "session_id")),
        "start": started_at_ns,
        "at": at_ns,
    }
    _put(record, "agent", short_name(_text(payload, "agent_id")))
    _put(record, "mode", short_name(_text(payload, "permission_mode")))
    return record


def _add_tool(record: Document, payload: Document, tool: str, client: str) -> None:
    """Codex shows another input to its permission hook than to the others, so its turn is the key."""
    _put(record, "tool", short_name(tool))
    if client == table.CODEX:
        _put(record, "turn", short_name(_text(payload, "turn_id")))
    elif tool not in table.QUESTION_TOOLS:
        record["input"] = digest_input(payload.get("tool_input"))


def _add_prompt(record: Document, prompt: str) -> None:
    from tidings.domain.interaction.prompt_text import digests_in, refs_in  # ``re`` is not free

    refs: list[Value] = [*refs_in(prompt)]
    digests: list[Value] = [*digests_in(prompt)]
    if refs:
        record["refs"] = refs
    record["digests"] = digests


def _put(record: Document, name: str, text: str) -> None:
    if text:
        record[name] = text


def _text(payload: Document, name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def _short_path(path: str) -> str:
    try:
        return path if len(path.encode("utf-8")) <= LONGEST_PATH else ""
    except UnicodeEncodeError:
        return ""


def _scan(head: str, name: str) -> str:
    """The plain string value of the first member ``name``; empty where it is none or is escaped.

    Inside a JSON string every quote is escaped, so ``"name"`` can only be a member's name (or a
    whole string value, which no colon follows).
    """
    mark = f'"{name}"'
    at = head.find(mark)
    if at < 0:
        return ""
    rest = head[at + len(mark) : at + len(mark) + 512].lstrip()
    value, closing, _after = rest[1:].lstrip()[1:].partition('"')
    opens = rest[1:].lstrip()[:1] == '"'
    return value if rest[:1] == ":" and opens and closing and "\\" not in value else ""
