"""How a message is shown, by ``send`` and by ``show``."""

from tidings.domain.instants import to_rfc3339
from tidings.domain.messages.evidence import Evidence
from tidings.domain.messages.origin import MessageKind, is_operator_input
from tidings.domain.messages.receipt import MessageView
from tidings.domain.messages.reply_box import is_box
from tidings.domain.messages.send_outcome import Refused
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.output import tell_act, write_json, write_line
from tidings.entrypoints.cli.words import tenths
from tidings.ports.codec import Document, Value

RESETS = "resets in "
PLAIN_DETAILS = ("not UTF-8", "the text is blank")
"""Details that are words for people already; the names of fields are not."""


def print_refusal(refused: Refused, *, as_json: bool) -> int:
    """The one line of a refusal; nothing was stored. Returns its exit code."""

    def show() -> None:
        if as_json:
            write_json(refusal_document(refused))
        else:
            write_line(refusal_line(refused))

    done = f"refused, {refused.reason}: nothing was stored"
    return tell_act(show, done=done, code=refused.exit_code, as_json=as_json)


def refusal_line(refused: Refused) -> str:
    """The refusal for people: what, why, and the next step."""
    words = detail_words(refused)
    detail = f" ({words})" if words else ""
    step = f"; {refused.next_step}" if refused.next_step else ""
    return f"refused  {refused.reason}: {refused.text}{detail}{step}"


def refusal_document(refused: Refused) -> Document:
    """The published JSON of one refusal."""
    return {
        "state": "refused",
        "reason": refused.reason,
        "text": refused.text,
        "detail": refused.detail,
        "next_step": refused.next_step,
        "earlier_ref": refused.earlier_ref,
    }


def detail_words(refused: Refused) -> str:
    """The detail for people. What machines read of it (``state=held reason=pacing``) is in JSON."""
    facts = dict(part.split("=", 1) for part in refused.detail.split() if "=" in part)
    match facts:
        case {"state": state, "reason": reason}:
            return f"{refused.earlier_ref} is {state}" + (f", {reason}" if reason else "")
        case {"payloadBytes": size}:
            return f"it has {size} bytes"
        case {"ttl": _, "limit": _}:
            return ""
        case _:
            is_plain = refused.detail in PLAIN_DETAILS or refused.detail.startswith(RESETS)
            return refused.detail if is_plain else ""


def print_view(view: MessageView, *, address: str, app: Application) -> None:
    """``m7k2q  delivered  api · written 0.1 s · seen 0.4 s``, and the answer where there is one."""
    print_receipt(view, address=address)
    print_text(answer_text(view, app))


def print_receipt(view: MessageView, *, address: str) -> None:
    """The receipt alone: where it stands, why, and the one next step; no text of anybody's."""
    write_line(f"{view.short}  {view.state}  {address}{_milestones(view)}{_mark(view)}")
    if view.row.reason and not _says_it_all(view):
        step = f"; {view.next_step}" if view.next_step else ""
        write_line(f"  {view.row.reason}: {view.text}{step}")


def _mark(view: MessageView) -> str:
    """What a person typed is marked as that wherever it is listed (M 3.2), and so is a notice."""
    origin = view.envelope.origin
    if view.envelope.kind is MessageKind.NOTICE:
        return " · notice"
    if origin is None or not is_operator_input(origin):
        return ""
    return f" · source=operator ({origin.client})"


def _says_it_all(view: MessageView) -> bool:
    """Once a message was seen or answered, how its bytes left is no news."""
    return not view.exit_code and view.evidence in (Evidence.SEEN, Evidence.ANSWERED)


def address_of(app: Application, uid: str) -> str:
    """How people call an agent: its address; a reply box has none."""
    return "a reply box" if is_box(uid) else app.admission.address_of(uid)


def sender_words(app: Application, view: MessageView) -> str:
    """Who sent it: the agent's address, else the kind and what stands behind it."""
    if view.row.source_agent is not None:
        mark = " (notice)" if view.envelope.kind is MessageKind.NOTICE else ""
        return f"{address_of(app, view.row.source_agent)}{mark}"
    client = view.envelope.origin.client if view.envelope.origin is not None else ""
    return f"{view.row.kind} {client}".strip()


def print_text(text: str) -> None:
    """A message's own text: every line prefixed, so that it cannot pass for one of ours (P10)."""
    for line in text.splitlines():
        write_line(f"  | {line}")


def answer_text(view: MessageView, app: Application) -> str:
    """The text of the answer to this message; empty where none is stored (any more)."""
    if view.row.answer_ref is None:
        return ""
    return app.post_office.text_of(view.row.answer_ref) or ""


def view_document(view: MessageView) -> Document:
    """The published JSON of one message. The payload is never in it (M 3.4)."""
    row = view.row
    document: Document = {
        "ref": row.ref,
        "short": view.short,
        "conversation_ref": row.conversation_ref,
        "reply_to": row.reply_to,
        "kind": row.kind,
        "source_agent": row.source_agent,
        "target_agent": row.target_agent,
        "state": str(view.state),
        "reason": row.reason,
        "outcome_unknown": row.outcome_unknown,
        "evidence": str(view.evidence),
        "text": view.text,
        "next_step": view.next_step,
        "transport": row.transport,
        "accepted_at": to_rfc3339(row.accepted_at_ns),
        "deadline": to_rfc3339(row.accepted_at_ns + row.ttl_ns),
        "handoff_at": instant(row.handoff_at_ns),
        "terminal_at": instant(row.terminal_at_ns),
        "seen_at": instant(row.seen_at_ns),
        "answered_at": instant(row.answered_at_ns),
        "answer_ref": row.answer_ref,
        "exit_code": view.exit_code,
    }
    if view.envelope.origin is not None:
        document["origin"] = view.envelope.origin.to_document()
    return document


def instant(at_ns: int | None) -> Value:
    """The instant as JSON shows it; null for none."""
    return None if at_ns is None else to_rfc3339(at_ns)


def _milestones(view: MessageView) -> str:
    row = view.row
    reached = (
        ("written", row.terminal_at_ns if view.evidence is not Evidence.NONE else None),
        ("seen", row.seen_at_ns),
        ("answered", row.answered_at_ns),
    )
    since = [
        f" · {word} {tenths(at_ns - row.accepted_at_ns)}"
        for word, at_ns in reached
        if at_ns is not None
    ]
    return "".join(since)
