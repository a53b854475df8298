"""``tidings reset``: takes back whatever was said about consent, readable or not (S 4.6)."""

from collections.abc import Sequence

from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.output import tell_done
from tidings.entrypoints.cli.parsing import OWN_TARGET, VerbParser
from tidings.entrypoints.cli.subject import require_widening, subject_of, warn_ignored, withdrawn
from tidings.entrypoints.cli.words import hears_words
from tidings.ports.codec import Document


def run(words: Sequence[str]) -> int:
    """Leaves the named session, or the caller's own, as if nobody had armed or disarmed it."""
    parser = VerbParser("reset")
    parser.operand("TARGET", OWN_TARGET, nargs="?")
    parser.option("--json")
    options = parser.read(words)
    call = open_call()
    warn_ignored(call, as_json=options.json)
    subject = subject_of(call, options.target)
    require_widening(call, subject, "reset")
    done = call.app.desk.reset(subject.owner)
    withdrawn(call, subject)
    now_ns = call.app.ports.clock.now().wall_ns
    hears = hears_words(call.app.desk.state(subject.key), now_ns=now_ns)
    document: Document = {
        "session": subject.key,
        "address": subject.address,
        "path": call.app.ports.marks.path(subject.key),
        "removed": done.removed,
    }
    said = f"{subject.name} is neither armed nor disarmed any more; it hears {hears}"
    if not done.removed:
        said = f"nobody had armed or disarmed {subject.name}; it hears {hears}"
    return tell_done(said, document, code=0, as_json=options.json)
