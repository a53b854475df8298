"""``tidings ls``: every session, what it hears, and what needs the operator first."""

from collections.abc import Sequence

from tidings.domain.consent.arming import ArmState
from tidings.domain.interaction.freedom import AwaitsOperator, Free, Freedom
from tidings.domain.registration.admission import LivingAgent
from tidings.domain.registration.shape import EXPLANATIONS
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.messages import instant
from tidings.entrypoints.cli.output import write_json_array, write_line, write_table
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.cli.words import age_words, hears_words, reach_words
from tidings.entrypoints.reach import Reach, reach_of
from tidings.entrypoints.senders import shown_state
from tidings.entrypoints.surroundings import place_of
from tidings.ports.codec import Document
from tidings.ports.tokens import Provider, Verdict
from tidings.ports.values import dataclass

COLUMNS = ("ADDRESS", "HARNESS", "FOLDER", "STATE", "HEARS", "REACHED", "WAITING")

MOST_ENDED = 50
"""Runs that have ended, as many as ``--all`` shows at most: the latest ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One session as ``ls`` shows it."""

    agent: LivingAgent
    consent: ArmState
    freedom: Freedom
    waiting: int
    notices: int
    now_ns: int
    reach: Reach | None


def run(words: Sequence[str]) -> int:
    """Lists living sessions; ``--all`` adds those whose process has ended. Reads only."""
    parser = VerbParser("ls")
    parser.option("--all")
    parser.option("--json")
    options = parser.read(words)
    app = open_call().app
    shown = sorted(_lines(app, everything=options.all), key=_urgency)
    if options.json:
        write_json_array([_document(one) for one in shown])
    elif shown:
        write_table(COLUMNS, _rows(shown))
    else:
        write_line(_nobody(app))
    return 0


def _nobody(app: Application) -> str:
    """A session can be registered and yet be nobody to write to."""
    known = sum(row.verdict is not Verdict.DEAD for row in app.roster.list())
    if known:
        return f"no agents; `tidings session list` shows what else is registered ({known})"
    return "no sessions: start one, as README.md tells, or see it all at work with `tidings demo`"


def _lines(app: Application, *, everything: bool) -> list[Line]:
    agents = [*app.admission.living(), *app.admission.ended(limit=MOST_ENDED if everything else 0)]
    return [_line(app, one) for one in agents if everything or one.verdict is not Verdict.DEAD]


def _line(app: Application, agent: LivingAgent) -> Line:
    activation = agent.activation
    is_over = agent.verdict is Verdict.DEAD  # its pid may be somebody else's by now
    business = None if is_over else app.post_office.business(activation.agent_uid)
    return Line(
        agent=agent,
        consent=shown_state(app, app.desk.state(activation.session_key)),
        freedom=Free(idle=None)
        if is_over
        else app.observer.glimpse(activation.session_key, activation.owner.pid),
        waiting=0 if business is None else business.waiting,
        notices=0 if business is None else business.notices,
        now_ns=app.ports.clock.now().wall_ns,
        reach=None if is_over else reach_of(app, agent),
    )


def _urgency(line: Line) -> tuple[bool, bool, bool, str]:
    """What needs the operator comes first, then what holds messages back (a notice that waits is
    where it should be), then by address; the ended ones last."""
    awaits = isinstance(line.freedom, AwaitsOperator)
    is_over = line.agent.verdict is Verdict.DEAD
    return (is_over, not awaits, line.waiting == line.notices, line.agent.activation.address)


def _rows(lines: Sequence[Line]) -> list[tuple[str, ...]]:
    return [
        (
            one.agent.activation.address,
            one.agent.activation.provider,
            place_of(one.agent.activation.cwd),
            _state(one),
            "-" if _is_over(one) else hears_words(one.consent, now_ns=one.now_ns),
            "-" if _is_over(one) else _reached(one),
            _waiting(one),
        )
        for one in lines
    ]


def _waiting(line: Line) -> str:
    if not line.notices:
        return str(line.waiting) if line.waiting else ""
    return f"{line.waiting} ({line.notices} notice{'s' if line.notices > 1 else ''})"


def _is_over(line: Line) -> bool:
    """Who is gone hears nothing and is reached by nothing."""
    return line.agent.verdict is Verdict.DEAD


def _state(line: Line) -> str:
    ended_at_ns = line.agent.activation.ended_at_ns
    if ended_at_ns is not None:
        return f"ended {age_words(line.now_ns - ended_at_ns)} ago"
    if line.agent.verdict is not Verdict.ALIVE:
        return str(line.agent.verdict)
    match line.freedom:
        case AwaitsOperator(why=why):
            return f"dialog ({why})"
        case Free(idle=True):
            return "idle"
        case Free(idle=False):
            return "busy"
        case Free():
            return "free"


def _reached(line: Line) -> str:
    if line.agent.activation.provider == Provider.PROCESS:
        return "it pulls"
    if line.reach is None:
        return EXPLANATIONS[line.agent.shape][0]
    return reach_words(line.reach)


def _document(line: Line) -> Document:
    activation = line.agent.activation
    return {
        "address": activation.address,
        "agent_uid": activation.agent_uid,
        "activation_id": activation.activation_id,
        "session": activation.session_key,
        "provider": activation.provider,
        "pid": activation.owner.pid,
        "session_id": activation.conversation_id,
        "label": activation.label,
        "cwd": activation.cwd,
        "folder": place_of(activation.cwd),
        "liveness": str(line.agent.verdict),
        "state": _state(line),
        "awaits_operator": isinstance(line.freedom, AwaitsOperator),
        "consent": str(line.consent.word),
        "hears": hears_words(line.consent, now_ns=line.now_ns),
        "registration": str(line.agent.shape),
        "reached_by": str(line.reach.transport) if line.reach else None,
        "client_version": line.reach.version if line.reach else "",
        "qualification": str(line.reach.standing) if line.reach else None,
        "inbound": str(line.reach.inbound) if line.reach else None,
        "ended_at": instant(activation.ended_at_ns),
        "waiting": line.waiting,
        "notices": line.notices,
    }
