"""``tidings arm``: consent, given by the session's operator."""

import argparse
from collections.abc import Sequence

from tidings.domain.consent.scope import ConsentScope
from tidings.domain.messages.origin import MessageKind
from tidings.entrypoints.cli.desk import Call, open_call
from tidings.entrypoints.cli.output import tell_done
from tidings.entrypoints.cli.parsing import OWN_TARGET, VerbParser, parse_duration
from tidings.entrypoints.cli.subject import require_widening, subject_of, warn_ignored
from tidings.entrypoints.cli.words import scope_words
from tidings.entrypoints.senders import shown_scope, stored_senders
from tidings.ports.codec import Document
from tidings.ports.errors import UsageError

NANOSECONDS = 1_000_000_000


def run(words: Sequence[str]) -> int:
    """Arms the named session, or the caller's own; wakes its resident."""
    options = _parser().read(words)
    call = open_call()
    warn_ignored(call, as_json=options.json)
    subject = subject_of(call, options.target, for_yes=True)
    require_widening(call, subject, "arm")
    scope = _scope(call, options)
    state = call.app.desk.arm(subject.owner, cwd=subject.cwd, scope=scope)
    call.app.ports.doorbell.ring(subject.key)
    now_ns = call.app.ports.clock.now().wall_ns
    said = f"{subject.name} hears {scope_words(shown_scope(call.app, scope), now_ns=now_ns)}"
    document: Document = {
        "session": subject.key,
        "address": subject.address,
        "state": str(state.word),
        "armed": True,
        "local_state": str(state.word),
        "path": call.app.ports.marks.path(subject.key),
        "generation": state.generation,
        "scope": scope.to_document(),
    }
    return tell_done(said, document, code=0, as_json=options.json)


def _scope(call: Call, options: argparse.Namespace) -> ConsentScope:
    until_ns = None
    if options.duration is not None:
        now_ns = call.app.ports.clock.now().wall_ns
        until_ns = now_ns + options.duration * NANOSECONDS
    return ConsentScope(
        senders=stored_senders(call.app, options.senders) or None,
        kinds=_kinds(options.kinds, wake=options.wake),
        until_ns=until_ns,
        wake=options.wake,
    )


def _kinds(named: Sequence[str], *, wake: bool) -> tuple[str, ...] | None:
    for kind in named:
        if kind not in list(MessageKind):
            raise UsageError(
                f"{kind!r} is no kind of message",
                next_step=f"one of {', '.join(MessageKind)}",
            )
    if wake and named and MessageKind.NOTICE not in named:
        raise UsageError(
            "--wake is about notices, and these kinds are others",
            next_step="add --kind notice, or leave --wake out",
        )
    return tuple(dict.fromkeys(named)) or None


def _parser() -> VerbParser:
    parser = VerbParser("arm")
    parser.operand("TARGET", OWN_TARGET, nargs="?")
    parser.option("--from", dest="senders", action="append", default=[])
    parser.option("--kind", dest="kinds", action="append", default=[])
    parser.option("--for", dest="duration", type=parse_duration)
    parser.option("--wake")
    parser.option("--json")
    return parser
