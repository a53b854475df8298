"""``tidings send``: one message to one session, and what became of it."""

import argparse
from collections.abc import Sequence
from typing import NamedTuple, assert_never

from tidings.domain.identity.caller import ScriptCaller, SessionCaller, TerminalCaller
from tidings.domain.messages.drafts import Draft
from tidings.domain.messages.limits import DEFAULT_TTL_NS
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.receipt import MessageView
from tidings.domain.messages.refs import mint_ref
from tidings.domain.messages.send_outcome import Refused
from tidings.entrypoints.cli.body import read_body
from tidings.entrypoints.cli.desk import Call, open_call
from tidings.entrypoints.cli.messages import print_refusal, print_view
from tidings.entrypoints.cli.output import write_line
from tidings.entrypoints.cli.parsing import TARGET, VerbParser, parse_duration, split_body
from tidings.entrypoints.cli.receipts import tell_view, told
from tidings.entrypoints.cli.words import duration_words
from tidings.entrypoints.following import Milestone, follow, reached
from tidings.entrypoints.surroundings import place_of, working_folder
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import UsageError
from tidings.ports.values import replace

NANOSECONDS = 1_000_000_000
OUTCOME_WAIT_SECONDS = 2.0
"""How long a sender waits for the target's resident (D15)."""

TIMEOUT_SECONDS = 600
"""How long ``--wait`` waits where no ``--timeout`` is given."""

WAIT_ENDED = 6
TERMINAL_CLIENT = "terminal"
SCRIPT_CLIENT = "script"


class Sender(NamedTuple):
    """Who sends, as the kernel shows it (D4)."""

    source: ActivationRow | None
    kind: MessageKind
    client: str
    proof: Proof


def run(words: Sequence[str]) -> int:
    """Sends, waits a moment for the outcome, prints it. The exit code is the message's."""
    head, body = split_body(words)
    options = _parser().read(head)
    if options.timeout is not None and options.wait is None:
        raise UsageError("--timeout is how long --wait waits", next_step="add --wait seen")
    text = read_body(body, options.file)
    call = open_call()
    draft = _draft(call, text, options)
    _check_wait(draft, options.wait)
    # Minted here and not when it is stored, so that it can be told whatever happens in between.
    ref = draft.ref or mint_ref(call.app.ports.ids)
    with told(call.app, ref, as_json=options.json):
        outcome = call.app.post_office.send(replace(draft, ref=ref))
        if isinstance(outcome, Refused):
            return print_refusal(outcome, as_json=options.json)
        return _tell(call, draft, _follow(call, outcome.ref, options), options)


def _tell(call: Call, draft: Draft, view: MessageView, options: argparse.Namespace) -> int:
    code = _exit_code(view, options.wait)

    def show() -> None:
        print_view(view, address=draft.target.address, app=call.app)
        if code == WAIT_ENDED:
            write_line(_wait_ended(view, options))

    return tell_view(view, code=code, as_json=options.json, show=show)


def _draft(call: Call, text: str, options: argparse.Namespace) -> Draft:
    sender = sender_of(call)
    folder = sender.source.cwd if sender.source is not None else working_folder()
    return Draft(
        source=sender.source,
        target=call.app.target_of(options.target, ref=options.ref),
        kind=sender.kind,
        text=text,
        proof=sender.proof,
        client=sender.client,
        place=place_of(folder),
        ttl_ns=DEFAULT_TTL_NS if options.ttl is None else options.ttl * NANOSECONDS,
        ref=options.ref,
        allow_self=options.allow_self,
    )


def sender_of(call: Call) -> Sender:
    """The session around the call, else its terminal, else nobody: never what a variable says."""
    match call.caller:
        case SessionCaller():
            return Sender(call.own_activation(), MessageKind.AGENT, "", Proof.ANCESTRY)
        case TerminalCaller(tty=tty):
            return Sender(None, MessageKind.PUSH, tty or TERMINAL_CLIENT, Proof.TERMINAL)
        case ScriptCaller():
            return Sender(None, MessageKind.AUTOMATION, SCRIPT_CLIENT, Proof.NONE)
        case _:
            assert_never(call.caller)


def _check_wait(draft: Draft, wanted: Milestone | None) -> None:
    if wanted is Milestone.ANSWERED and draft.source is None:
        raise UsageError(
            "only a session can be answered; this shell is none",
            next_step="use --wait seen, or send from inside a session",
        )


def _follow(call: Call, ref: str, options: argparse.Namespace) -> MessageView:
    if options.wait is None:
        return follow(call.app, ref, Milestone.OUTCOME, seconds=OUTCOME_WAIT_SECONDS)
    return follow(call.app, ref, options.wait, seconds=_timeout(options))


def _timeout(options: argparse.Namespace) -> int:
    given: int | None = options.timeout
    return TIMEOUT_SECONDS if given is None else given


def _wait_ended(view: MessageView, options: argparse.Namespace) -> str:
    return (
        f"  not {options.wait} after {duration_words(_timeout(options))}: the wait ended, the message"
        f" lives on; `tidings show {view.short}` tells how it goes"
    )


def _exit_code(view: MessageView, wanted: Milestone | None) -> int:
    if view.exit_code or wanted is None or reached(view, wanted):
        return view.exit_code
    return WAIT_ENDED


def _parser() -> VerbParser:
    parser = VerbParser("send")
    parser.operand("TARGET", TARGET)
    parser.option("--ttl", type=parse_duration)
    parser.option("--ref")
    parser.option("--file")
    parser.option("--self", dest="allow_self")
    parser.option("--wait", type=_milestone)
    parser.option("--timeout", type=parse_duration)
    parser.option("--json")
    return parser


def _milestone(word: str) -> Milestone:
    if word not in (Milestone.SEEN, Milestone.ANSWERED):
        raise argparse.ArgumentTypeError("wait for seen or answered")
    return Milestone(word)
