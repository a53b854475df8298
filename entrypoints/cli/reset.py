"""``tidings reset``: takes back whatever was said about consent, readable or not (S 4.6)."""

from collections.abc import Sequence

from tidings.entrypoints.cli.desk import forbid_others, open_call
from tidings.entrypoints.cli.output import tell_done
from tidings.entrypoints.cli.parsing import OWN_TARGET, VerbParser
from tidings.ports.codec import Document


def run(words: Sequence[str]) -> int:
    """Leaves the named session, or the caller's own, as if nobody had armed or disarmed it."""
    parser = VerbParser("reset")
    parser.operand("TARGET", OWN_TARGET, nargs="?")
    parser.option("--json")
    options = parser.read(words)
    call = open_call()
    activation = call.activation(options.target)
    forbid_others(call, activation, "reset")
    done = call.app.desk.reset(call.owner(activation))
    call.app.withdrawn(activation)
    address = activation.address
    document: Document = {
        "session": activation.session_key,
        "address": address,
        "removed": done.removed,
    }
    said = f"{address} is neither armed nor disarmed any more; it hears replies"
    if not done.removed:
        said = f"nobody had armed or disarmed {address}"
    return tell_done(said, document, code=0, as_json=options.json)
