"""``tidings disarm``: withdraws consent at once; returning 0 is a barrier (D8)."""

from collections.abc import Sequence

from tidings.domain.consent.desk import Barrier
from tidings.entrypoints.cli.desk import forbid_others, open_call
from tidings.entrypoints.cli.output import tell_done
from tidings.entrypoints.cli.parsing import OWN_TARGET, VerbParser
from tidings.entrypoints.cli.subject import subject_of, warn_ignored, withdrawn
from tidings.ports.codec import Document

WRITE_UNDER_WAY = 6


def run(words: Sequence[str]) -> int:
    """Disarms the named session, or the caller's own. 6 if one write was still under way."""
    parser = VerbParser("disarm")
    parser.operand("TARGET", OWN_TARGET, nargs="?")
    parser.option("--json")
    options = parser.read(words)
    call = open_call()
    warn_ignored(call, as_json=options.json)
    subject = subject_of(call, options.target)
    forbid_others(call, subject.key, "disarm")
    done = call.app.desk.disarm(subject.owner, cwd=subject.cwd)
    withdrawn(call, subject)
    document: Document = {
        "session": subject.key,
        "address": subject.address,
        "state": "disarmed",
        "armed": False,
        "disarmed": True,
        "path": done.path,
        "auto_arm_would_arm": call.app.defaults.of_session(subject.key).is_on,
        "generation": done.generation,
        "barrier": str(done.barrier),
    }
    if done.barrier is Barrier.PASSED:
        said, code = f"{subject.name} hears nothing: no delivery begins from now on", 0
    else:
        said = f"{subject.name} is disarmed, but one write was still under way"
        code = WRITE_UNDER_WAY
    return tell_done(said, document, code=code, as_json=options.json)
