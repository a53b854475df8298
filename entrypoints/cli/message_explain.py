"""``tidings message explain``: what a message's reason means, whether bytes may have gone, what to do."""

from collections.abc import Sequence

from tidings.domain.messages.reasons import ReasonEntry, entry_of
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.output import write_json, write_line
from tidings.entrypoints.cli.parsing import REF, VerbParser

ON_ITS_WAY = "it is on its way, and nothing speaks against it"


def run(words: Sequence[str]) -> int:
    """Explains the message, or the reason itself where ``REF`` is one. Exit 0."""
    parser = VerbParser("message explain")
    parser.operand("REF", f"{REF}; or a reason, such as pacing")
    parser.option("--json")
    options = parser.read(words)
    entry = entry_of(options.ref)
    if entry is not None:
        return _tell("", options.ref, entry, as_json=options.json)
    office = open_call().app.post_office
    past = office.past(options.ref)
    if past is not None:
        return _tell(past.ref, past.reason, entry_of(past.reason), as_json=options.json)
    view = office.view(options.ref)
    return _tell(view.short, view.row.reason, entry_of(view.row.reason), as_json=options.json)


def _tell(short: str, reason: str, entry: ReasonEntry | None, *, as_json: bool) -> int:
    meaning = entry.meaning if entry is not None else ON_ITS_WAY
    next_step = entry.next_step if entry is not None else "nothing to do"
    unknown = entry is not None and entry.outcome_unknown
    if as_json:
        write_json(
            {
                "ref": short or None,
                "reason": reason,
                "stage": str(entry.stage) if entry is not None else None,
                "outcome_unknown": unknown,
                "exit_code": entry.exit_code if entry is not None else 0,
                "meaning": meaning,
                "next_step": next_step,
            }
        )
        return 0
    write_line(f"{short or entry and entry.stage}  {reason or 'no reason'}: {meaning}")
    write_line(f"  outcome: {'unknown, bytes may have gone' if unknown else 'known'}")
    write_line(f"  next: {next_step}")
    return 0
