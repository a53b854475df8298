"""``tidings wait TARGET --until …``: blocks until a session is idle, needs its person, or is gone."""

import argparse
from collections.abc import Sequence
from enum import StrEnum

from tidings.domain.interaction.freedom import AwaitsOperator, Free
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.output import tell_done
from tidings.entrypoints.cli.parsing import TARGET, VerbParser, parse_duration
from tidings.entrypoints.cli.sending import TIMEOUT_SECONDS, WAIT_ENDED
from tidings.entrypoints.cli.words import duration_words
from tidings.entrypoints.following import look_until
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import NotRunning, UsageError
from tidings.ports.tokens import Provider, Verdict


class Until(StrEnum):
    """What can be waited for. ``needs-you``: a dialog is open, or may be."""

    IDLE = "idle"
    NEEDS_YOU = "needs-you"
    GONE = "gone"


def run(words: Sequence[str]) -> int:
    """Waits, bounded. Exit 0 once it is so, 6 when the time is over, 9 where the run ended before."""
    options = _parser().read(words)
    app = open_call().app
    seconds: int = TIMEOUT_SECONDS if options.timeout is None else options.timeout
    try:
        activation = app.admission.resolve(options.target)
    except NotRunning:
        if options.until is not Until.GONE:
            raise
        return _tell(options, options.target, Until.GONE)
    if activation.provider == Provider.PROCESS and options.until is not Until.GONE:
        raise UsageError(
            f"{activation.address} is a process that takes no turns: it is never {options.until}",
            next_step="send to it at any time; it takes its messages itself",
        )
    found = look_until(lambda: _decided(app, activation, options.until), seconds=seconds)
    if found is Until.GONE and options.until is not Until.GONE:
        raise NotRunning(
            f"{activation.address} ended before it was {options.until}",
            next_step="`tidings ls --all` shows what is known of it",
        )
    return _tell(options, activation.address, found)


def _decided(app: Application, activation: ActivationRow, wanted: Until) -> Until | None:
    """The wanted state once it is there; gone, which ends every wait; None: look again.

    An unknown owner is neither gone nor idle (P2).
    """
    now = app.admission.look(activation.activation_id)
    if now is None or now.verdict is Verdict.DEAD:
        return Until.GONE
    if wanted is Until.GONE or now.verdict is not Verdict.ALIVE:
        return None
    freedom = app.observer.glimpse(activation.session_key, activation.owner.pid)
    match freedom:
        case AwaitsOperator():
            return wanted if wanted is Until.NEEDS_YOU else None
        case Free(idle=idle):
            return wanted if wanted is Until.IDLE and idle is True else None


def _tell(options: argparse.Namespace, address: str, found: Until | None) -> int:
    until: Until = options.until
    seconds: int = TIMEOUT_SECONDS if options.timeout is None else options.timeout
    over = f"{address} is not {until} after {duration_words(seconds)}: the wait ended"
    return tell_done(
        over if found is None else f"{address} is {found}",
        {"address": address, "until": str(until), "reached": found is not None},
        code=WAIT_ENDED if found is None else 0,
        as_json=options.json,
    )


def _parser() -> VerbParser:
    parser = VerbParser("wait")
    parser.operand("TARGET", TARGET)
    parser.option("--until", type=_until, required=True)
    parser.option("--timeout", type=parse_duration)
    parser.option("--json")
    return parser


def _until(word: str) -> Until:
    if word not in tuple(Until):
        raise argparse.ArgumentTypeError(f"{word!r} is none of {', '.join(Until)}")
    return Until(word)
