"""``tidings reset``: takes back whatever was said about consent, readable or not (S 4.6)."""

from collections.abc import Sequence

from tidings.entrypoints.cli.desk import forbid_others, open_call
from tidings.entrypoints.cli.output import write_json, write_line
from tidings.entrypoints.cli.parsing import OWN_TARGET, VerbParser


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
    if options.json:
        write_json({"session": activation.session_key, "address": address, "removed": done.removed})
    elif done.removed:
        write_line(f"{address} is neither armed nor disarmed any more; it hears replies")
    else:
        write_line(f"nobody had armed or disarmed {address}")
    return 0
