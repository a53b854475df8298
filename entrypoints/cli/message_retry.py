"""``tidings message retry REF``: sends once more what is proved never to have left (D20)."""

from collections.abc import Sequence

from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.receipt import MessageView
from tidings.domain.messages.retrying import retry_ref, retry_refusal
from tidings.entrypoints.cli.desk import Call, open_call
from tidings.entrypoints.cli.messages import address_of, print_refusal, print_view
from tidings.entrypoints.cli.parsing import REF, VerbParser
from tidings.entrypoints.cli.receipts import tell_view
from tidings.entrypoints.cli.sender import Sender, sender_of
from tidings.entrypoints.cli.sending import (
    OUTCOME_WAIT_SECONDS,
    Out,
    Sending,
    answering,
    drafting,
    send_out,
)
from tidings.entrypoints.following import Milestone
from tidings.ports.values import replace


def run(words: Sequence[str]) -> int:
    """The same text to the same agent under a new ref, which follows from the old one, so that two
    calls at once send once."""
    parser = VerbParser("message retry")
    parser.operand("REF", REF)
    parser.option("--json")
    options = parser.read(words)
    call = open_call()
    before = call.app.post_office.view(options.ref)
    sender = _sender(call, before)
    refusal = retry_refusal(before.row, source_agent=sender.agent_uid)
    if refusal is not None:
        return print_refusal(refusal, as_json=options.json)
    return send_out(
        call,
        retry_ref(before.row.ref),
        _sending(call, sender, before),
        wanted=Milestone.OUTCOME,
        seconds=OUTCOME_WAIT_SECONDS,
        box=None,
        as_json=options.json,
        tell=lambda out: _tell(call, out, as_json=options.json),
    )


def _sender(call: Call, before: MessageView) -> Sender:
    """A notice stays a notice, whoever repeats it."""
    sender = sender_of(call)
    return sender.noticing() if before.envelope.kind is MessageKind.NOTICE else sender


def _sending(call: Call, sender: Sender, before: MessageView) -> Sending:
    """An answer stays an answer, judged anew; anything else becomes a message of its own."""
    envelope = before.envelope
    if before.row.reply_to is not None:
        return answering(call, sender, envelope.payload, original=before.row.reply_to)
    return drafting(
        call,
        sender,
        envelope.payload,
        target=call.app.target_of(
            f"agent:{before.row.target_agent}", ref=retry_ref(before.row.ref)
        ),
        ttl_ns=before.row.ttl_ns,
        allow_self=before.row.source_agent == before.row.target_agent,
        wishes=replace(envelope.wishes, retry_of=before.row.ref),
    )


def _tell(call: Call, out: Out, *, as_json: bool) -> int:
    view = out.view
    return tell_view(
        view,
        code=view.exit_code,
        as_json=as_json,
        show=lambda: print_view(
            view, address=address_of(call.app, view.row.target_agent), app=call.app
        ),
    )
