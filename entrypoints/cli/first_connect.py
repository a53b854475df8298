"""``tidings first-connect``: whether this session is greeted for the first time (S 4.9)."""

from collections.abc import Sequence

from tidings.entrypoints.cli.desk import forbid_others, open_call
from tidings.entrypoints.cli.output import tell_done
from tidings.entrypoints.cli.parsing import OWN_TARGET, VerbParser
from tidings.entrypoints.cli.subject import subject_of, warn_ignored
from tidings.ports.codec import Document


def run(words: Sequence[str]) -> int:
    """Says ``first`` once in a session's life with a living mark, and ``again`` from then on."""
    parser = VerbParser("first-connect")
    parser.operand("TARGET", OWN_TARGET, nargs="?")
    parser.option("--json")
    options = parser.read(words)
    call = open_call()
    warn_ignored(call, as_json=options.json)
    subject = subject_of(call, options.target)
    forbid_others(call, subject.key, "first-connect")
    is_first = call.app.desk.first_connect(subject.owner)
    document: Document = {"session": subject.key, "first_connect": is_first}
    return tell_done("first" if is_first else "again", document, code=0, as_json=options.json)
