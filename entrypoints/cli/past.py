"""How a message that left the store is shown: everything but its text (D31)."""

from tidings.domain.instants import to_rfc3339
from tidings.domain.messages.past import receipt_of_past
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.messages import address_of
from tidings.entrypoints.cli.output import write_json, write_line
from tidings.ports.codec import Document, Value
from tidings.ports.history import HistoryRow


def show_past(past: HistoryRow, app: Application, *, as_json: bool) -> int:
    """Prints what became of it and when it left; its own exit code, for ``--exit-state``."""
    receipt = receipt_of_past(past)
    if as_json:
        write_json(_document(past))
        return receipt.exit_code
    address = address_of(app, _part(past, "target") or "")
    left = f"left the store {to_rfc3339(past.evicted_at_ns)} ({past.cause})"
    write_line(f"{past.ref}  {past.state}  {address} · {left}; its text is gone")
    if past.reason:
        step = f"; {receipt.next_step}" if receipt.next_step else ""
        write_line(f"  {past.reason}: {receipt.text}{step}")
    return receipt.exit_code


def _document(past: HistoryRow) -> Document:
    receipt, line = receipt_of_past(past), past.line
    return {
        "ref": past.ref,
        "conversation_ref": line.get("conversationRef"),
        "reply_to": line.get("replyTo"),
        "source_agent": _part(past, "source"),
        "target_agent": _part(past, "target"),
        "state": past.state,
        "reason": past.reason,
        "outcome_unknown": past.outcome_unknown,
        "evidence": past.evidence,
        "text": receipt.text,
        "next_step": receipt.next_step,
        "accepted_at": to_rfc3339(past.accepted_at_ns),
        "deadline": to_rfc3339(receipt.deadline_ns),
        "terminal_at": line.get("terminalAt"),
        "left_at": to_rfc3339(past.evicted_at_ns),
        "left_because": past.cause,
        "exit_code": receipt.exit_code,
    }


def _part(past: HistoryRow, end: str) -> str | None:
    route: Value = past.line.get(end)
    uid = route.get("agentUID") if isinstance(route, dict) else None
    return uid if isinstance(uid, str) else None
