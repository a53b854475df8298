"""``tidings status``: what a session consents to, and with ``--why`` the evidence."""

from collections.abc import Sequence

from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.output import write_json, write_line
from tidings.entrypoints.cli.parsing import OWN_TARGET, VerbParser
from tidings.entrypoints.cli.words import consent_words, hears_words
from tidings.entrypoints.senders import shown_state
from tidings.ports.codec import Document


def run(words: Sequence[str]) -> int:
    """Prints the consent of the named session, or of the caller's own. Changes nothing."""
    parser = VerbParser("status")
    parser.operand("TARGET", OWN_TARGET, nargs="?")
    parser.option("--why")
    parser.option("--json")
    options = parser.read(words)
    call = open_call()
    activation = call.activation(options.target)
    liveness = call.app.probe.judge(call.owner(activation))
    state = call.app.desk.state(activation.session_key)
    signals: list[Document] = [
        {"signal": one.name, "verdict": str(one.verdict), "evidence": one.evidence}
        for one in liveness.signals
    ]
    if options.json:
        write_json(
            {
                "session": activation.session_key,
                "address": activation.address,
                "state": str(state.word),
                "generation": state.generation,
                "scope": state.scope.to_document(),
                "why": state.why,
                "liveness": str(liveness.verdict),
                "signals": [*signals],
            }
        )
        return 0
    hears = hears_words(shown_state(call.app, state))
    write_line(f"{activation.address} is {consent_words(state.word)} and hears {hears}")
    if options.why:
        write_line(f"  consent: generation {state.generation}; {state.why or 'as written'}")
        for one in liveness.signals:
            write_line(f"  {one.name}: {one.verdict}, {one.evidence}")
    return 0
