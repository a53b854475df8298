"""``tidings status``: what a session consents to, and with ``--why`` the evidence."""

from collections.abc import Sequence

from tidings.domain.consent.arming import ArmState, ArmWord
from tidings.domain.consent.opt_in import OptIn
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.output import write_json, write_line
from tidings.entrypoints.cli.parsing import OWN_TARGET, VerbParser
from tidings.entrypoints.cli.session_words import signal_rows
from tidings.entrypoints.cli.subject import subject_of, warn_ignored
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
    warn_ignored(call, as_json=options.json)
    subject = subject_of(call, options.target)
    liveness = call.app.probe.judge(subject.owner)
    state = call.app.desk.state(subject.key)
    opt_in = call.app.defaults.of_session(subject.key)
    if options.json:
        write_json(
            {
                "session": subject.key,
                "address": subject.address,
                "state": str(state.word),
                "generation": state.generation,
                "scope": state.scope.to_document(),
                "why": state.why,
                **_announced(state, opt_in),
                "liveness": str(liveness.verdict),
                "signals": signal_rows(liveness),
            }
        )
        return 0
    now_ns = call.app.ports.clock.now().wall_ns
    hears = hears_words(shown_state(call.app, state), now_ns=now_ns)
    write_line(f"{subject.name} is {consent_words(state.word)} and hears {hears}")
    if options.why:
        write_line(f"  consent: generation {state.generation}; {state.why}")
        write_line(f"  by default: {'yes' if opt_in.is_on else 'no'}, {opt_in.why}")
        for one in liveness.signals:
            write_line(f"  {one.name}: {one.verdict}, {one.evidence}")
    return 0


def _announced(state: ArmState, opt_in: OptIn) -> Document:
    """What S 4.7 tells scripts: the session's own word, the default, and what follows from both."""
    return {
        "local_state": str(state.word),
        "local_armed": state.word is ArmWord.ARMED,
        "auto_arm": opt_in.is_on,
        "auto_arm_repo": opt_in.proposed,
        "auto_arm_user_veto": opt_in.vetoed,
        "auto_arm_config_error": opt_in.settings_wrong,
        "auto_arm_awaits_approval": opt_in.awaits_approval,
        "announced_armed": state.is_open,
    }
